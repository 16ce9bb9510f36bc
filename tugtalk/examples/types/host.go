// A host with the types that types.mjs makes: sends two messages, prints what Claude says, allows its
// tools, and chooses the first answer to each question.
//
//	go run host.go tugtalk.go                 talks to the simulator, which needs no account
//	go run host.go tugtalk.go npx tugtalk     talks to Claude, in the current folder
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
)

func main() {
	command := os.Args[1:]
	if len(command) == 0 {
		command = []string{"npx", "tugtalk", "simulate"}
	}
	bridge := exec.Command(command[0], command[1:]...)
	bridge.Stderr = os.Stderr
	stdin, _ := bridge.StdinPipe()
	stdout, _ := bridge.StdoutPipe()
	if err := bridge.Start(); err != nil {
		log.Fatal(err)
	}
	send, drain := json.NewEncoder(stdin).Encode, true
	send(ProtocolInit{Version: 2})
	send(UserMessageInput{Text: "Hello"})
	send(UserMessageInput{Text: "Show me the tools"})
	send(Shutdown{Drain: &drain}) // To end after the answers.
	lines := json.NewDecoder(stdout)
	for {
		var message OutboundMessage
		if lines.Decode(&message) != nil {
			break
		}
		switch m := message.Value.(type) {
		case *AssistantText:
			if m.Status == AssistantTextStatusComplete && m.Text != nil {
				fmt.Println(*m.Text)
			}
		case *ControlRequestForward: // Claude waits until it is answered.
			send(answer(m))
		case *ErrorMessage:
			fmt.Fprintln(os.Stderr, m.Code, m.Message)
		case json.RawMessage: // Of a kind that these types do not know.
			fmt.Fprintln(os.Stderr, "left out:", string(m))
		}
	}
	bridge.Wait()
	os.Exit(bridge.ProcessState.ExitCode())
}

func answer(prompt *ControlRequestForward) any {
	if !prompt.IsQuestion {
		fmt.Println("*", prompt.ToolName)
		return ToolApproval{RequestId: prompt.RequestId, Decision: ToolApprovalDecisionAllow}
	}
	var input AskUserQuestionInput
	_ = json.Unmarshal(prompt.Input, &input)
	answers := map[string]json.RawMessage{}
	for _, one := range input.Questions {
		if len(one.Options) > 0 {
			answers[one.Question], _ = json.Marshal(one.Options[0].Label)
		}
	}
	return QuestionAnswer{RequestId: prompt.RequestId, Answers: answers}
}
