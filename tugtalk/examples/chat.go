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
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// Message has the fields that this host reads, of all types of messages. It ignores all others.
type Message struct {
	Type, Status, State, Kind, Text, Output, Result, Subtype, Reason, Code, Message string

	IsError     bool            `json:"is_error"`
	Parent      string          `json:"parent_tool_use_id"`
	RequestID   string          `json:"request_id"`
	IsQuestion  bool            `json:"is_question"`
	Tool        string          `json:"tool_name"`
	Input       json.RawMessage `json:"input"`
	Suggestions json.RawMessage `json:"permission_suggestions"`
}

// Object is a message to the bridge, or a part of one.
type Object map[string]any

// The last receipt of a message (message_status) has one of these.
var isFinal = map[string]bool{"completed": true, "cancelled": true, "rejected": true, "failed": true}

var (
	toBridge    io.WriteCloser
	fromBridge  *json.Decoder
	fromUser    = bufio.NewReader(os.Stdin)
	isStreaming bool // Whether the text that is being printed goes on.
)

func main() {
	command := []string{"npx", "tugtalk", "simulate"}
	if len(os.Args) > 1 {
		command = os.Args[1:]
	}
	bridge := exec.Command(command[0], command[1:]...)
	bridge.Stderr = os.Stderr
	// In a process group of its own the bridge does not get Ctrl-C from the terminal: the host decides.
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
	chat()
	toBridge.Close() // The bridge ends Claude and then itself; nothing needs to be killed.
	follow(func(Message) bool { return false })
	bridge.Wait()
	os.Exit(bridge.ProcessState.ExitCode())
}

// chat sends what the user types, one message at a time.
func chat() {
	send(Object{"type": "protocol_init", "version": 2})
	isOpen := follow(func(m Message) bool { return m.Type == "session_state" && m.State == "idle" })
	for isOpen {
		text, ok := ask("> ")
		if !ok {
			return
		}
		send(Object{"type": "user_message", "text": text})
		isOpen = follow(func(m Message) bool { return m.Type == "message_status" && isFinal[m.Status] })
	}
}

// send writes one message: a JSON object on a line of its own. It fails when the bridge has ended,
// whose last messages say why.
func send(message Object) {
	line, _ := json.Marshal(message)
	toBridge.Write(append(line, '\n'))
}

// follow shows messages up to the first one that isLast accepts; false if the bridge ends before that.
func follow(isLast func(Message) bool) bool {
	for {
		message := Message{Suggestions: json.RawMessage("[]")}
		err := fromBridge.Decode(&message)
		var mismatch *json.UnmarshalTypeError // A field that has another meaning in a message of another type.
		if err != nil && !errors.As(err, &mismatch) {
			return false
		}
		show(message)
		if isLast(message) {
			return true
		}
	}
}

// show handles one message of the bridge. A host ignores the types and fields that it does not know.
func show(m Message) {
	switch {
	case m.Type == "assistant_text" && m.Parent == "": // With a parent, a subagent speaks.
		showText(m)
	case m.Type == "user_text" && m.Kind == "command_output": // Of a command such as /context.
		fmt.Println(m.Text)
	case m.Type == "tool_use" && m.Status == "complete":
		fmt.Printf("* %s %.100s\n", m.Tool, m.Input)
	case m.Type == "tool_result" && m.IsError:
		fmt.Printf("  failed: %.100s\n", m.Output)
	case m.Type == "tool_result":
		fmt.Printf("  done: %.100s\n", m.Output)
	case m.Type == "control_request_forward":
		send(answer(m))
	case m.Type == "elicitation_request": // A form of an MCP server, which this host cannot show.
		send(Object{"type": "elicitation_answer", "request_id": m.RequestID, "action": "decline"})
	case m.Type == "turn_complete" && m.Result != "success":
		fmt.Printf("[the turn ended: %s, %s]\n", m.Result, m.Subtype)
	case m.Type == "turn_cancelled":
		fmt.Printf("[the turn was lost: %s]\n", m.Reason)
	case m.Type == "error":
		fmt.Fprintf(os.Stderr, "[%s: %s]\n", m.Code, m.Message)
	}
}

// showText prints a text, which comes in pieces (partial) and then as a whole (complete), or only as a whole.
func showText(m Message) {
	wasStreaming := isStreaming
	isStreaming = m.Status == "partial"
	if isStreaming || !wasStreaming {
		fmt.Print(m.Text)
	}
	if !isStreaming {
		fmt.Println()
	}
}

// answer is the user's answer to a permission prompt or a question. Claude waits until it has one.
func answer(m Message) Object {
	if m.IsQuestion {
		if answers, ok := chooseAll(m.Input); ok {
			return Object{"type": "question_answer", "request_id": m.RequestID, "answers": answers}
		}
		return Object{"type": "tool_approval", "request_id": m.RequestID, "decision": "deny"}
	}
	fmt.Printf("May %s run? Input: %s\n", m.Tool, m.Input)
	fmt.Printf("y: yes; a: yes, and from here on %s; other: no, for that reason\n", m.Suggestions)
	text, _ := ask("? ")
	reply := Object{"type": "tool_approval", "request_id": m.RequestID, "decision": "allow"}
	switch text {
	case "y":
	case "a": // "Always" accepts the rules that Claude suggests.
		reply["updatedPermissions"] = m.Suggestions
	case "":
		reply["decision"] = "deny"
	default:
		reply["decision"], reply["message"] = "deny", text
	}
	return reply
}

// chooseAll asks the questions of a prompt. False if the user's lines end before the last answer.
func chooseAll(input json.RawMessage) (Object, bool) {
	var form struct {
		Questions []struct {
			Question    string
			MultiSelect bool
			Options     []struct{ Label string }
		}
	}
	json.Unmarshal(input, &form)
	answers := Object{} // By the text of the question: a label or other text, or a list of them.
	for _, q := range form.Questions {
		fmt.Println(q.Question)
		labels := map[string]string{}
		for i, option := range q.Options {
			labels[fmt.Sprint(i+1)] = option.Label
			fmt.Printf("  %d. %s\n", i+1, option.Label)
		}
		text, ok := ask("? ")
		if !ok {
			return nil, false
		}
		words := []string{text}
		if q.MultiSelect {
			words = strings.Split(text, ",")
		}
		for i, word := range words {
			words[i] = strings.TrimSpace(word)
			if label, ok := labels[words[i]]; ok {
				words[i] = label
			}
		}
		if answers[q.Question] = words[0]; q.MultiSelect {
			answers[q.Question] = words
		}
	}
	return answers, true
}

// ask prints a text and returns the next line that the user types; false after the last.
func ask(text string) (string, bool) {
	fmt.Print(text)
	line, err := fromUser.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err == nil || line != ""
}
