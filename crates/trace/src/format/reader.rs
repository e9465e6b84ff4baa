//! Reads traces, step by step or whole.

use std::io::BufRead;

use crate::json::{Decode, Json, JsonError, JsonPath, Unknown};
use crate::step::{Extra, Header, Step, Trace};

use super::line::{Fault, Line, Lines};
use super::{TRACE_VERSION, TraceError, TraceProblem};

/// Reads a trace step by step, with no more than one line in memory. After an error it is over.
///
/// Blank lines are passed over. Lines may end in `\n` or `\r\n`.
#[derive(Debug)]
pub struct TraceReader<R> {
    file: String,
    lines: Lines<R>,
    header: Header,
    steps: u64,
    over: bool,
}

impl<R: BufRead> TraceReader<R> {
    /// Reads the header. `file` is what errors call the source.
    pub fn new(file: impl Into<String>, from: R) -> Result<Self, TraceError> {
        let file = file.into();
        let mut lines = Lines::new(from);
        let header = match lines.next() {
            Ok(Some(line)) => header(&line),
            Ok(None) => Err(Fault::new(1, TraceProblem::Empty)),
            Err(fault) => Err(fault),
        };
        match header {
            Ok(header) => Ok(Self { file, lines, header, steps: 0, over: false }),
            Err(fault) => Err(error(file, lines.number, 0, false, fault)),
        }
    }

    /// The first line.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl<R: BufRead> Iterator for TraceReader<R> {
    type Item = Result<Step, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let step = match self.lines.next() {
            Ok(Some(line)) => step(&line),
            Ok(None) => {
                self.over = true;
                return None;
            }
            Err(fault) => Err(fault),
        };
        self.over = step.is_err();
        self.steps += u64::from(step.is_ok());
        let confirmed = self.header.claim.is_some();
        Some(step.map_err(|fault| error(self.file.clone(), self.lines.number, self.steps, confirmed, fault)))
    }
}

impl Trace {
    /// Reads a whole trace. `file` is what errors call the source.
    pub fn read(file: impl Into<String>, from: impl BufRead) -> Result<Self, TraceError> {
        let mut reader = TraceReader::new(file, from)?;
        let steps = reader.by_ref().collect::<Result<_, _>>()?;
        Ok(Self { header: reader.header, steps })
    }
}

fn error(file: String, line: u64, steps: u64, confirmed: bool, fault: Fault) -> TraceError {
    let Fault { column, problem, cut } = fault;
    let problem = if cut { TraceProblem::CutOff { line, steps, confirmed } } else { problem };
    TraceError { file, line, column, problem }
}

fn step(line: &Line<'_>) -> Result<Step, Fault> {
    let json = Json::parse(line.text).map_err(|error| line.fault(error))?;
    let (mut step, extra) = decode::<Step>(line, json)?;
    step.extra = extra;
    Ok(step)
}

fn header(line: &Line<'_>) -> Result<Header, Fault> {
    let json = match Json::parse(line.text) {
        Ok(json) => json,
        Err(error) if marked(line) => return Err(line.fault(error)),
        Err(_) => return Err(Fault::new(1, TraceProblem::NotATrace)),
    };
    if json.field("retap") != Some(&Json::Text("trace".into())) {
        return Err(Fault::new(1, TraceProblem::NotATrace));
    }
    // Before all else: in a newer version the other fields may mean something else.
    let path = JsonPath::Field(&JsonPath::Line, "version");
    let wrong = |wrong| line.fault(JsonError::wrong(line.text, wrong));
    match json.field("version") {
        None => return Err(wrong(path.wrong(format!("is missing; write \"version\":{TRACE_VERSION}")))),
        Some(version) => match u64::decode(version.clone(), &path, &mut Unknown::Drop).map_err(wrong)? {
            TRACE_VERSION => {}
            0 => return Err(wrong(path.wrong("there is no version 0; versions count from 1"))),
            version => {
                let column = wrong(path.wrong("")).column;
                return Err(Fault::new(column, TraceProblem::Newer { version }));
            }
        },
    }
    let (mut header, extra) = decode::<Header>(line, json)?;
    header.extra = extra;
    Ok(header)
}

/// Whether a broken first line was meant as the header of a trace.
fn marked(line: &Line<'_>) -> bool {
    const BEGINNING: &str = "{\"retap\":\"trace\"";
    line.text.contains("\"retap\"") || (!line.whole && BEGINNING.starts_with(line.text))
}

fn decode<T: Decode>(line: &Line<'_>, json: Json<'_>) -> Result<(T, Extra), Fault> {
    let mut unknown = Unknown::Keep(Extra::default());
    match T::decode(json, &JsonPath::Line, &mut unknown) {
        Ok(value) => Ok((value, unknown.into_extra())),
        Err(wrong) => Err(line.fault(JsonError::wrong(line.text, wrong))),
    }
}
