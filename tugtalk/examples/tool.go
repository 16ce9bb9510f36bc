// A host of tugtalk that gives Claude a tool, and stands at a hook: go run tool.go "What time is it?" npx tugtalk
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"
)

type object = map[string]any

func main() {
	bridge := exec.Command(os.Args[2], os.Args[3:]...)
	stdin, _ := bridge.StdinPipe()
	stdout, _ := bridge.StdoutPipe()
	if err := bridge.Start(); err != nil {
		panic(err)
	}
	send := json.NewEncoder(stdin).Encode
	clock := object{"name": "clock", "description": "The time of day.", "input_schema": object{"type": "object"}, "permission": "allow"}
	guard := object{"hook_id": "guard", "event": "PreToolUse", "matcher": "Bash"}
	send(object{"type": "protocol_init", "version": 2, "options": object{"host_tools": []object{clock}, "host_hooks": []object{guard}}})
	send(object{"type": "user_message", "text": os.Args[1]})
	for lines := json.NewDecoder(bufio.NewReader(stdout)); ; {
		var message struct {
			Type, Text, Message, Output string
			RequestID                   string `json:"request_id"`
			ToolName                    string `json:"tool_name"`
			Input                       struct {
				ToolInput struct{ Command string } `json:"tool_input"`
			}
		}
		if lines.Decode(&message) != nil {
			break
		}
		switch message.Type {
		case "host_tool_request":
			send(object{"type": "host_tool_answer", "request_id": message.RequestID, "text": time.Now().Format("15:04")})
		case "hook_request":
			send(object{"type": "hook_answer", "request_id": message.RequestID, "decision": "deny", "reason": "Not here: " + message.Input.ToolInput.Command})
		case "control_request_forward":
			send(object{"type": "tool_approval", "request_id": message.RequestID, "decision": "deny"})
		case "tool_result":
			fmt.Printf("* %s: %s\n", message.ToolName, message.Output)
		case "turn_complete", "turn_cancelled", "error":
			fmt.Println(message.Text + message.Message)
			stdin.Close()
		}
	}
	bridge.Wait()
}
