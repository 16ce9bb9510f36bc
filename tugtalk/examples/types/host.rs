//! A host with the types that types.mjs makes: sends two messages, prints what Claude says, allows its
//! tools, and chooses the first answer to each question.
//!
//!     cargo run                    talks to the simulator, which needs no account
//!     cargo run -- npx tugtalk     talks to Claude, in the current folder
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{exit, Command, Stdio};
use tugtalk::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut command: Vec<String> = std::env::args().skip(1).collect();
    if command.is_empty() {
        command = ["npx", "tugtalk", "simulate"].map(String::from).into();
    }
    let mut bridge = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = bridge.stdin.take().expect("it is piped");
    let stdout = bridge.stdout.take().expect("it is piped");
    let mut send = |message: InboundMessage| {
        let line = serde_json::to_string(&message).expect("a message is JSON");
        let _ = writeln!(stdin, "{line}"); // A bridge that has ended has said why.
    };
    send(ProtocolInit { version: 2, ..Default::default() }.into());
    for text in ["Hello", "Show me the tools"] {
        send(UserMessageInput { text: text.into(), ..Default::default() }.into());
    }
    send(Shutdown { drain: Some(true), ..Default::default() }.into()); // To end after the answers.
    for line in BufReader::new(stdout).lines() {
        match serde_json::from_str(&line?)? {
            OutboundMessage::AssistantText(m) if m.status == AssistantTextStatus::Complete => {
                println!("{}", m.text.unwrap_or_default())
            }
            // Claude waits until it is answered.
            OutboundMessage::ControlRequestForward(prompt) => send(answer(*prompt)?),
            OutboundMessage::ErrorMessage(m) => eprintln!("{} {}", m.code.as_str(), m.message),
            OutboundMessage::Unknown(value) => eprintln!("left out: {value}"),
            _ => (),
        }
    }
    exit(bridge.wait()?.code().unwrap_or(1))
}

fn answer(prompt: ControlRequestForward) -> Result<InboundMessage, Box<dyn Error>> {
    let request_id = prompt.request_id;
    if !prompt.is_question {
        println!("* {}", prompt.tool_name);
        let decision = ToolApprovalDecision::Allow;
        return Ok(ToolApproval { request_id, decision, ..Default::default() }.into());
    }
    let input: AskUserQuestionInput = serde_json::from_value(prompt.input)?;
    let first = |one: Question| Some((one.question, one.options?.into_iter().next()?.label.into()));
    let answers = input.questions.into_iter().filter_map(first).collect();
    Ok(QuestionAnswer { request_id, answers, ..Default::default() }.into())
}
