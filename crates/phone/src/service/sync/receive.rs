//! A file comes to the phone.

use super::{LONGEST_DATA, Session};
use crate::files::{FileError, parent};
use crate::phone::Phone;
use crate::transport::Broken;

/// The bits of a mode that say what kind of file it is, and those of a link.
const KIND: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// Bytes that have come and are not kept yet.
struct Coming {
    phone: Phone,
    own: u64,
    of_all: u64,
}

impl Coming {
    fn add(&mut self, bytes: usize) {
        self.own += bytes as u64;
        self.of_all = self.phone.add_coming(bytes as u64);
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        self.phone.remove_coming(self.own);
    }
}

impl Session<'_> {
    /// Takes the pieces of a file and writes it. On failure the rest of the pieces is read, so that the host comes
    /// to hear of it.
    pub(super) fn receive(&self, path: &str, mode: u32) -> Result<bool, Broken> {
        let free = self.phone.with(|state| state.world.files.free());
        let mut coming = Coming { phone: self.phone.clone(), own: 0, of_all: 0 };
        let mut content = Vec::new();
        let mut trouble: Option<String> = None;
        let changed = loop {
            match self.header()? {
                (id, changed) if id == *b"DONE" => break changed,
                (id, length) if id == *b"DATA" && length as usize <= LONGEST_DATA => {
                    let data = self.bytes(length as usize)?;
                    // What other hosts send at the same time counts as well.
                    coming.add(data.len());
                    if trouble.is_none() && coming.of_all > free {
                        trouble = Some(format!("write failed: {}", FileError::Full));
                        content = Vec::new();
                    }
                    if trouble.is_none() {
                        content.extend_from_slice(&data);
                    }
                }
                (id, _) if id == *b"DATA" => return self.fail("oversize data message"),
                _ => return self.fail("invalid data message"),
            }
        };
        if let Some(trouble) = trouble {
            return self.fail(&trouble);
        }
        match self.keep(path, content, mode, u64::from(changed)) {
            Ok(()) => {
                self.stream.write(b"OKAY\0\0\0\0")?;
                Ok(true)
            }
            Err(why) => self.fail(&why),
        }
    }

    fn keep(&self, path: &str, content: Vec<u8>, mode: u32, changed: u64) -> Result<(), String> {
        let say = |what: &'static str| move |error: FileError| format!("{what}: {error}");
        self.phone.with(|state| {
            let files = &mut state.world.files;
            let above = parent(path);
            if files.stat(&above).is_err() {
                files.make_folder(&above, true, changed).map_err(say("secure_mkdirs failed"))?;
            }
            if mode & KIND == LINK {
                return Err(say("couldn't create symlink")(FileError::Denied));
            }
            files.write(path, content, mode, changed).map_err(say("couldn't create file"))?;
            // What its owner may do, all may do, as the daemon has it.
            let group = (mode & 0o777) | ((mode >> 3) & 0o070);
            let mode = group | ((group >> 3) & 0o007);
            files.change(path, Some(mode), Some(changed)).map_err(say("fchmod failed"))
        })
    }
}
