//! Writes traces, step by step or whole.

use std::io::{self, Write};

use serde::Serialize;

use crate::json::Json;
use crate::step::{Extra, Header, Step, Trace};

use super::{MAX_LINE, Shape, TRACE_VERSION};

/// Writes a trace step by step. Each line goes out in one piece, so that no buffer around the writer is needed
/// and a stopped program leaves whole lines behind.
#[derive(Debug)]
pub struct TraceWriter<W> {
    to: W,
    buffer: Vec<u8>,
}

/// The header as it is written: the two fields by which a trace is known stand first.
#[derive(Serialize)]
struct Marked<'h> {
    retap: &'static str,
    version: u64,
    #[serde(flatten)]
    header: &'h Header,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the header.
    pub fn new(to: W, header: &Header) -> io::Result<Self> {
        let mut writer = Self { to, buffer: Vec::new() };
        let marked = Marked { retap: "trace", version: TRACE_VERSION, header };
        writer.line(&marked, &header.extra, Shape::Header)?;
        Ok(writer)
    }

    /// Writes the next step.
    ///
    /// # Errors
    /// When writing fails, or the line would be longer than [`MAX_LINE`]: no reader would take it.
    pub fn step(&mut self, step: &Step) -> io::Result<()> {
        self.line(step, &step.extra, Shape::Step)
    }

    /// What is written to.
    pub const fn get_ref(&self) -> &W {
        &self.to
    }

    /// Sees to it that all is written, and gives back what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }

    fn line(&mut self, known: &impl Serialize, extra: &Extra, shape: Shape) -> io::Result<()> {
        self.buffer.clear();
        if extra.0.is_none() {
            serde_json::to_writer(&mut self.buffer, known)?;
        } else {
            let known = serde_json::to_vec(known)?;
            let mut line: Json<'_> = serde_json::from_slice(&known)?;
            extra.put_back(&mut line, shape);
            serde_json::to_writer(&mut self.buffer, &line)?;
        }
        if self.buffer.len() > MAX_LINE {
            let why =
                format!("a line of a trace is {} bytes long; {MAX_LINE} are the most", self.buffer.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        self.buffer.push(b'\n');
        self.to.write_all(&self.buffer)
    }
}

impl Trace {
    /// Writes the whole trace.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let mut writer = TraceWriter::new(to, &self.header)?;
        for step in &self.steps {
            writer.step(step)?;
        }
        writer.finish().map(drop)
    }
}
