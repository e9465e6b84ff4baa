//! Commands that run to their end.

use super::transport::LONGEST_OUTPUT;
use super::{AdbError, Deadline, ProcessOutput, Transport};

/// What a command printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShellOutput {
    pub stdout: Vec<u8>,
    /// Its standard error; where the device mixes it into the output, only what came late.
    pub stderr: Vec<u8>,
    pub status: i32,
}

/// Stands before the status where the device does not tell it by itself.
const STATUS_MARK: &str = "\u{1}retap-status ";

impl ShellOutput {
    /// The output as text; what is no text becomes a replacement mark.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Output and errors as one text, for messages.
    pub fn said(&self) -> String {
        let both = format!("{}{}", self.text(), String::from_utf8_lossy(&self.stderr));
        both.trim().chars().take(2_000).collect()
    }

    /// The output as text when the command ended well, else an error that names it.
    pub fn success(self, command: &str) -> Result<String, AdbError> {
        if self.status == 0 {
            return Ok(self.text());
        }
        Err(AdbError::Command { command: command.to_owned(), status: self.status, said: self.said() })
    }
}

impl Transport {
    /// Runs a command. It must not read from its standard input, which is never closed.
    pub fn shell(&self, command: &str, deadline: &Deadline) -> Result<ShellOutput, AdbError> {
        self.shell_with(command, &[], deadline)
    }

    /// Runs a command that reads this from its standard input.
    pub fn shell_with(
        &self,
        command: &str,
        stdin: &[u8],
        deadline: &Deadline,
    ) -> Result<ShellOutput, AdbError> {
        if !self.features(deadline)?.shell_v2() {
            return self.old_shell(command, stdin, deadline);
        }
        let mut process = self.spawn(command, deadline)?;
        // A command that ends before it has read what we sent may take its answer with it: send only what it wants.
        if !stdin.is_empty() {
            process.write(stdin, deadline)?;
            process.close_stdin(deadline)?;
        }
        let mut output = ShellOutput::default();
        loop {
            match process.read(deadline)? {
                ProcessOutput::Stdout(bytes) => output.stdout.extend(bytes),
                ProcessOutput::Stderr(bytes) => output.stderr.extend(bytes),
                ProcessOutput::Ended(Some(status)) => {
                    output.status = i32::from(status);
                    return Ok(output);
                }
                ProcessOutput::Ended(None) => {
                    return Err(AdbError::Dropped {
                        what: deadline.what(),
                        why: "the shell ended".to_owned(),
                    });
                }
            }
            if output.stdout.len() + output.stderr.len() > LONGEST_OUTPUT {
                return Err(AdbError::TooMuch { what: deadline.what(), limit: LONGEST_OUTPUT });
            }
        }
    }

    /// Runs a command and returns its output byte by byte as it printed it, without a status.
    pub fn exec(&self, command: &str, deadline: &Deadline) -> Result<Vec<u8>, AdbError> {
        self.open(&format!("exec:{command}"), deadline)?.read_to_end(LONGEST_OUTPUT, deadline)
    }

    /// Without shell protocol 2 the command prints its status itself.
    fn old_shell(&self, command: &str, stdin: &[u8], deadline: &Deadline) -> Result<ShellOutput, AdbError> {
        let command = format!("{command}; echo \"{STATUS_MARK}$?\"");
        let mut wire = match self.open(&format!("exec:{command}"), deadline) {
            // Before Android 5 there is no `exec`.
            Err(AdbError::Refused { .. }) => self.open(&format!("shell:{command}"), deadline)?,
            opened => opened?,
        };
        if !stdin.is_empty() {
            wire.write(stdin, deadline)?;
        }
        let printed = wire.read_to_end(LONGEST_OUTPUT, deadline)?;
        Ok(split_status(printed))
    }
}

/// Takes the status off the end of what was printed.
fn split_status(mut printed: Vec<u8>) -> ShellOutput {
    let mark = STATUS_MARK.as_bytes();
    let found = printed.windows(mark.len()).rposition(|window| window == mark);
    let Some(at) = found else { return ShellOutput { stdout: printed, ..ShellOutput::default() } };
    let behind = String::from_utf8_lossy(&printed[at + mark.len()..]).into_owned();
    // Errors that were still on their way may follow.
    let (status, late) = behind.split_once('\n').unwrap_or((&behind, ""));
    printed.truncate(at);
    let status = status.trim().parse().unwrap_or(0);
    ShellOutput { stdout: printed, stderr: late.as_bytes().to_vec(), status }
}

/// A word as a shell must be given it, so that it means nothing but itself.
pub fn quote(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-./:=,@%+".contains(char);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_when_they_must_be() {
        assert_eq!(quote("com.example/.Main"), "com.example/.Main");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's $HOME"), "'it'\\''s $HOME'");
    }

    #[test]
    fn the_status_is_taken_off_the_end() {
        let output = split_status(b"a\n\x01retap-status 1\x01retap-status 7\r\nlate error\n".to_vec());
        assert_eq!((output.text().as_str(), output.status), ("a\n\u{1}retap-status 1", 7));
        assert_eq!(output.stderr, b"late error\n");
        assert_eq!(split_status(b"cut".to_vec()).status, 0);
    }
}
