//! Shells and single commands, with and without the protocol that keeps their outputs apart.

use super::frames::{Frame, FrameSink, FrameSource};
use crate::phone::Phone;
use crate::shell::{CancelFlag, CommandOutput, End, Input, Shell, Sink, Source, Streams};
use crate::transport::{Broken, HostStream};

/// What kind of shell a host wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    framed: bool,
    terminal: bool,
    term: String,
    command: String,
}

impl Request {
    /// Reads `shell,v2,raw` and what follows the colon.
    pub(super) fn new(service: &str, command: &str) -> Self {
        let mut request = Self {
            framed: false,
            terminal: command.is_empty(),
            term: "dumb".into(),
            command: command.to_owned(),
        };
        for option in service.split(',').skip(1) {
            match option {
                "v2" => request.framed = true,
                "raw" => request.terminal = false,
                "pty" => request.terminal = true,
                other => {
                    if let Some(term) = other.strip_prefix("TERM=") {
                        term.clone_into(&mut request.term);
                    }
                }
            }
        }
        request
    }
}

/// The bare stream, for those who do without frames.
impl Sink for HostStream {
    fn put(&self, data: &[u8]) -> Result<(), Broken> {
        self.write(data)
    }
}

impl Source for HostStream {
    fn get(&mut self) -> Option<Vec<u8>> {
        self.read()
    }
}

/// A shell, or one command in it.
pub(super) fn serve(phone: &Phone, request: &Request, stream: &HostStream) {
    let streams = if request.framed {
        Streams {
            input: Input::new(FrameSource(Input::new(stream.clone()))),
            out: CommandOutput::new(FrameSink::new(stream, Frame::Stdout)),
            err: CommandOutput::new(FrameSink::new(stream, Frame::Stderr)),
        }
    } else {
        bare(stream)
    };
    if request.terminal {
        // A host that is gone needs no advice.
        let _ = streams.out.line("there is no terminal on this device; write adb shell COMMAND\r");
        return;
    }
    let mut shell = shell_on(phone, stream);
    shell.set_var("TERM", &request.term);
    let status = if request.command.is_empty() {
        shell.interact(&streams)
    } else {
        run(&mut shell, &request.command, &streams)
    };
    if request.framed {
        // A host that is gone does not ask for a status.
        let _ = FrameSink::new(stream, Frame::Exit).put(&[status]);
    }
}

/// One command, whose outputs share the bare stream.
pub(super) fn execute(phone: &Phone, command: &str, stream: &HostStream) {
    run(&mut shell_on(phone, stream), command, &bare(stream));
}

fn bare(stream: &HostStream) -> Streams {
    let out = CommandOutput::new(stream.clone());
    Streams { input: Input::new(stream.clone()), err: out.clone(), out }
}

fn shell_on(phone: &Phone, stream: &HostStream) -> Shell {
    let (watched, owner) = (stream.clone(), phone.clone());
    Shell::new(phone.clone(), CancelFlag::new(move || watched.is_closed() || owner.is_stopped()))
}

fn run(shell: &mut Shell, command: &str, streams: &Streams) -> u8 {
    match shell.run(command, streams) {
        Ok(status) | Err(End::Exit(status)) => status,
        Err(End::Broken) => 1,
    }
}
