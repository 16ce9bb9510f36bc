// A host of tugtalk that gives Claude a tool, and stands at a hook: go run tool.go "What time is it?" npx tugtalk
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"
)

func main() {
	type object = map[string]any
	bridge := exec.Command(os.Args[2], os.Args[3:]...)
	stdin, _ := bridge.StdinPipe()
	stdout, _ := bridge.StdoutPipe()
	bridge.Start()
	send := json.NewEncoder(stdin).Encode
	clock := object{"name": "clock", "description": "The time of day.", "input_schema": object{"type": "object"}, "permission": "allow"}
	send(object{"type": "protocol_init", "version": 2, "options": object{"host_tools": []object{clock}, "host_hooks": []object{{"hook_id": "guard", "event": "PreToolUse", "matcher": "Bash"}}}})
	send(object{"type": "user_message", "text": os.Args[1]})
	blank := func() object { return object{"text": "", "message": ""} }
	for lines, message := json.NewDecoder(stdout), blank(); lines.Decode(&message) == nil; message = blank() {
		switch id := message["request_id"]; message["type"] {
		case "host_tool_request":
			send(object{"type": "host_tool_answer", "request_id": id, "text": time.Now().Format("15:04")})
		case "hook_request":
			send(object{"type": "hook_answer", "request_id": id, "decision": "deny", "reason": fmt.Sprint("Not here: ", message["input"].(object)["tool_input"].(object)["command"])})
		case "control_request_forward":
			send(object{"type": "tool_approval", "request_id": id, "decision": "deny"})
		case "tool_result":
			fmt.Printf("* %v: %v\n", message["tool_name"], message["output"])
		case "turn_complete", "turn_cancelled", "error":
			fmt.Print(message["text"], message["message"], "\n")
			stdin.Close()
		}
	}
	bridge.Wait()
	os.Exit(bridge.ProcessState.ExitCode())
}
