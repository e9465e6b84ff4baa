//! The sync service: files go to the phone and come from it.
//!
//! Requests are four letters, a length, and a path. Both generations of each are known; compressed transfers are
//! not offered.

mod receive;
mod reply;

use crate::files::{FileError, Files};
use crate::phone::Phone;
use crate::shell::Input;
use crate::transport::{Broken, HostStream};

const LONGEST_PATH: u32 = 1024;
/// The longest piece of a file.
const LONGEST_DATA: usize = 64 << 10;

/// Serves requests until the host quits or errs.
pub(super) fn serve(phone: &Phone, stream: &HostStream) {
    let session = Session { phone, input: Input::new(stream.clone()), stream };
    while let Ok(true) = session.request() {}
}

/// A host that transfers files.
struct Session<'a> {
    phone: &'a Phone,
    input: Input,
    stream: &'a HostStream,
}

impl Session<'_> {
    /// Serves one request. `false` when there are no more.
    fn request(&self) -> Result<bool, Broken> {
        let (id, length) = self.header()?;
        if id == *b"QUIT" {
            return Ok(false);
        }
        if length > LONGEST_PATH {
            return self.fail("path too long");
        }
        let path = String::from_utf8_lossy(&self.bytes(length as usize)?).into_owned();
        match &id {
            b"STAT" => self.answer(|files| reply::status(files.lstat(&path).ok())),
            b"STA2" => self.answer(|files| reply::status_2(id, files.stat(&path))),
            b"LST2" => self.answer(|files| reply::status_2(id, files.lstat(&path))),
            // A folder that cannot be read is an empty one.
            b"LIST" => self.answer(|files| reply::list(&files.list(&path).unwrap_or_default(), false)),
            b"LIS2" => self.answer(|files| reply::list(&files.list(&path).unwrap_or_default(), true)),
            b"SEND" => {
                let (path, mode) = path.rsplit_once(',').unwrap_or((&path, ""));
                match mode.parse() {
                    Ok(mode) => self.receive(path, mode),
                    Err(_) => self.fail("bad mode in SEND request"),
                }
            }
            b"SND2" => {
                let (id, mode) = self.header()?;
                let flags = self.number()?;
                if id != *b"SND2" || flags & 0x7fff_ffff != 0 {
                    return self.fail("unsupported flags in SND2 request");
                }
                self.receive(&path, mode)
            }
            b"RECV" => self.send(&path),
            b"RCV2" => {
                let (id, flags) = self.header()?;
                if id != *b"RCV2" || flags != 0 {
                    return self.fail("unsupported flags in RCV2 request");
                }
                self.send(&path)
            }
            _ => self.fail(&format!("unknown command {:#x}", u32::from_le_bytes(id))),
        }
    }

    fn bytes(&self, count: usize) -> Result<Vec<u8>, Broken> {
        Some(self.input.read_exactly(count)).filter(|bytes| bytes.len() == count).ok_or(Broken)
    }

    fn number(&self) -> Result<u32, Broken> {
        Ok(u32::from_le_bytes(self.bytes(4)?.try_into().map_err(|_| Broken)?))
    }

    /// Four letters, and a number.
    fn header(&self) -> Result<([u8; 4], u32), Broken> {
        Ok((self.bytes(4)?.try_into().map_err(|_| Broken)?, self.number()?))
    }

    fn answer(&self, reply: impl FnOnce(&Files) -> Vec<u8>) -> Result<bool, Broken> {
        let reply = self.phone.with(|state| reply(&state.world.files));
        self.stream.write(&reply)?;
        Ok(true)
    }

    fn send(&self, path: &str) -> Result<bool, Broken> {
        let content = match self.phone.with(|state| state.world.files.read(path)) {
            Ok(content) => content,
            Err(FileError::IsFolder) => return self.fail("read failed: Is a directory"),
            Err(error) => return self.fail(&format!("open failed: {error}")),
        };
        let mut reply = Vec::with_capacity(content.len() + content.len() / LONGEST_DATA * 8 + 16);
        for part in content.chunks(LONGEST_DATA) {
            let length = u32::try_from(part.len()).expect("a part is short");
            reply.extend_from_slice(b"DATA");
            reply.extend_from_slice(&length.to_le_bytes());
            reply.extend_from_slice(part);
        }
        reply.extend_from_slice(b"DONE\0\0\0\0");
        self.stream.write(&reply)?;
        Ok(true)
    }

    /// Says what is wrong. There is no way on after that.
    fn fail(&self, why: &str) -> Result<bool, Broken> {
        let length = u32::try_from(why.len()).expect("a sentence is short");
        let reply = [b"FAIL", &length.to_le_bytes()[..], why.as_bytes()].concat();
        self.stream.write(&reply)?;
        Ok(false)
    }
}
