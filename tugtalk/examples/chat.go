// A chat in the terminal: a host of tugtalk in Go, with the standard library only.
//
//	go run chat.go                 talks to the simulator, which needs no account
//	go run chat.go npx tugtalk     talks to Claude, in the current folder
//
// Each line that you type is a message, or the answer to a prompt. Ctrl-C interrupts Claude, Ctrl-D ends.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// Object is a message, or a part of one.
type Object = map[string]any

var (
	toBridge    io.WriteCloser
	fromBridge  *json.Decoder
	fromUser    = bufio.NewScanner(os.Stdin)
	isStreaming bool // Whether the text that is being printed goes on.
)

func main() {
	command := os.Args[1:]
	if len(command) == 0 {
		command = []string{"npx", "tugtalk", "simulate"}
	}
	bridge := exec.Command(command[0], command[1:]...)
	bridge.Stderr = os.Stderr
	// In a process group of its own the bridge does not get Ctrl-C from the terminal.
	bridge.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	toBridge, _ = bridge.StdinPipe()
	stdout, _ := bridge.StdoutPipe()
	fromBridge = json.NewDecoder(stdout) // Unlike a Scanner, it has no limit on the length of a line.
	if err := bridge.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot start the bridge:", err)
		os.Exit(1)
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		for range interrupts {
			send(Object{"type": "interrupt"})
		}
	}()
	send(Object{"type": "protocol_init", "version": 2})
	isOpen := follow(func(m Object) bool { return m["type"] == "session_state" && m["state"] == "idle" })
	for isOpen && ask("> ") {
		send(Object{"type": "user_message", "text": fromUser.Text()})
		isOpen = follow(func(m Object) bool { // Up to the last receipt of the message.
			return m["type"] == "message_status" && m["status"] != "queued" && m["status"] != "started"
		})
	}
	toBridge.Close() // The bridge ends Claude and then itself; nothing needs to be killed.
	follow(func(Object) bool { return false })
	bridge.Wait()
	os.Exit(bridge.ProcessState.ExitCode())
}

// send writes one message: a JSON object on a line of its own. It does nothing when the bridge has
// ended, whose last messages are still to be read and say why.
func send(message Object) {
	fmt.Fprintln(toBridge, toJSON(message))
}

func toJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// follow shows messages up to the first one that isLast accepts; false if the bridge ends before that.
func follow(isLast func(Object) bool) bool {
	for message := (Object{}); fromBridge.Decode(&message) == nil; message = (Object{}) {
		show(message)
		if isLast(message) {
			return true
		}
	}
	return false
}

// show handles one message of the bridge. A host ignores the types and fields that it does not know.
func show(m Object) {
	switch {
	case m["type"] == "assistant_text" && m["parent_tool_use_id"] == nil: // With one, a subagent speaks.
		// A text comes in pieces and then as a whole, or only as a whole. It has none if it is abandoned.
		if text, ok := m["text"].(string); ok && (m["is_partial"] == true || !isStreaming) {
			fmt.Print(text)
		}
		if isStreaming = m["is_partial"] == true; !isStreaming {
			fmt.Println()
		}
	case m["type"] == "user_text" && m["kind"] == "command_output": // Of a command, for example /context.
		fmt.Println(m["text"])
	case m["type"] == "tool_use" && m["status"] == "complete":
		fmt.Printf("* %s %.100s\n", m["tool_name"], toJSON(m["input"]))
	case m["type"] == "tool_result" && m["is_error"] == true:
		fmt.Printf("  failed: %.100s\n", m["output"])
	case m["type"] == "tool_result":
		fmt.Printf("  done: %.100s\n", m["output"])
	case m["type"] == "control_request_forward" && m["is_question"] == true:
		send(answerQuestions(m))
	case m["type"] == "control_request_forward": // Claude waits until a prompt has an answer.
		send(decide(m))
	case m["type"] == "elicitation_request": // A form of an MCP server, which this host cannot show.
		send(Object{"type": "elicitation_answer", "request_id": m["request_id"], "action": "decline"})
	case m["type"] == "turn_complete" && m["result"] != "success":
		fmt.Printf("[the turn ended: %s, %s]\n", m["result"], m["subtype"])
	case m["type"] == "turn_cancelled":
		fmt.Printf("[the turn was lost: %s]\n", m["reason"])
	case m["type"] == "error":
		fmt.Fprintf(os.Stderr, "[%s: %s]\n", m["code"], m["message"])
	}
}

// decide is the user's answer about a tool.
func decide(prompt Object) Object {
	suggested, _ := prompt["permission_suggestions"].([]any)
	rules := append([]any{}, suggested...) // Sent back, they mean "always".
	fmt.Printf("May %s run? Input: %s\n", prompt["tool_name"], toJSON(prompt["input"]))
	fmt.Printf("y: yes; a: yes, and from here on %s; other: no, for that reason\n", toJSON(rules))
	reply := Object{"type": "tool_approval", "request_id": prompt["request_id"], "decision": "allow"}
	ask("? ")
	switch text := fromUser.Text(); text {
	case "y":
	case "a":
		reply["updatedPermissions"] = rules
	case "": // Nobody is there to answer, or there is no reason.
		reply["decision"] = "deny"
	default:
		reply["decision"], reply["message"] = "deny", text
	}
	return reply
}

// answerQuestions has an answer for each question, by its text: a label or other text, or a list of them
// where several may be chosen. It refuses the prompt if nobody is there to answer.
func answerQuestions(prompt Object) Object {
	answers := Object{}
	for _, each := range prompt["input"].(Object)["questions"].([]any) {
		question := each.(Object)
		fmt.Println(question["question"])
		labels := Object{} // By the typed text.
		for i, option := range question["options"].([]any) {
			labels[fmt.Sprint(i+1)] = option.(Object)["label"]
			fmt.Printf("  %d. %s\n", i+1, option.(Object)["label"])
		}
		if !ask("? ") {
			return Object{"type": "tool_approval", "request_id": prompt["request_id"], "decision": "deny"}
		}
		words := []string{fromUser.Text()}
		if question["multiSelect"] == true {
			words = strings.Split(fromUser.Text(), ",")
		}
		chosen := []any{}
		for _, word := range words {
			word = strings.TrimSpace(word)
			if labels[word] == nil {
				labels[word] = word
			}
			chosen = append(chosen, labels[word])
		}
		if answers[question["question"].(string)] = chosen[0]; question["multiSelect"] == true {
			answers[question["question"].(string)] = chosen
		}
	}
	return Object{"type": "question_answer", "request_id": prompt["request_id"], "answers": answers}
}

// ask prints a text and reads the next line that the user types, into fromUser; false after the last.
func ask(text string) bool {
	fmt.Print(text)
	return fromUser.Scan()
}
