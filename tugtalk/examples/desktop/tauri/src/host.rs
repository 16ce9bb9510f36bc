//! `tugtalk host` as a child process.
use std::io::{BufRead, BufReader, Error};
use std::process::{Child, Command, Stdio};

pub struct Host {
    child: Child,
    /// A link that signs the window in. It works once.
    pub url: String,
}

impl Host {
    /// Starts it, and waits until it serves. `tugtalk` is the single binary or the command of the package.
    pub fn start(tugtalk: &str, flags: &[String]) -> Result<Host, Error> {
        let mut command = Command::new(tugtalk);
        command.args(["host", "--port=0"]).args(flags);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut line = String::new(); // `tugtalk host: open <link>`
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line)?;
        let url = line.split_whitespace().last().unwrap_or_default().into();
        Ok(Host { child, url })
    }
}

impl Drop for Host {
    /// By SIGTERM it ends its Claudes and itself within 10 s, which `Child::kill` would not let it do.
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
    }
}
