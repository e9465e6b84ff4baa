//! `screencap`: the screen as a PNG file, or as plain pixels.

use super::options::Options;
use crate::phone::State;
use crate::shell::{Outcome, Process};

/// The format of plain pixels, and their colours.
const RGBA_8888: u32 = 1;
const SRGB: u32 = 1;

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let mut args = Options::new(process.args());
    let (mut png, mut path) = (false, None);
    while let Some(arg) = args.next() {
        match &*arg {
            "-p" => png = true,
            "-d" => {
                args.next();
            }
            "-h" | "--help" => {
                return process.fail(1, "usage: screencap [-hp] [-d display-id] [FILENAME]\n   -h: this message\n   -p: save the file as a png.");
            }
            option if option.starts_with('-') => {}
            _ => path = Some(arg),
        }
    }
    png |= path.as_ref().and_then(|path| path.rsplit_once('.')).is_some_and(|(_, end)| end == "png");
    let picture = match process.device(State::picture)? {
        Ok(picture) => picture,
        Err(error) => return process.fail(1, format!("Failed to take screenshot. Status: -1 ({error})")),
    };
    let bytes = if png { Some(picture) } else { plain(&picture, process.phone().settings().android.api()) };
    let Some(bytes) = bytes else { return process.fail(1, "Failed to take screenshot. Status: -2") };
    match path {
        None => {
            process.put(bytes)?;
            Ok(0)
        }
        Some(path) => {
            let place = process.path(&path);
            let written = process.phone().with(|state| {
                let now = state.now_secs();
                state.world.files.write(&place, bytes, 0o660, now)
            });
            match written {
                Ok(()) => Ok(0),
                Err(error) => process.fail(1, format!("Error opening file: {path} ({error})")),
            }
        }
    }
}

/// Width, height, format and (since Android 9) colours, then four bytes for each pixel.
fn plain(picture: &[u8], api: u32) -> Option<Vec<u8>> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(picture));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    pixels.truncate(info.buffer_size());
    let mut bytes = Vec::with_capacity(16 + pixels.len());
    for number in [info.width, info.height, RGBA_8888] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    if api >= 28 {
        bytes.extend_from_slice(&SRGB.to_le_bytes());
    }
    match info.color_type {
        png::ColorType::Rgba => bytes.extend_from_slice(&pixels),
        png::ColorType::Rgb => {
            for pixel in pixels.chunks_exact(3) {
                bytes.extend_from_slice(pixel);
                bytes.push(255);
            }
        }
        _ => return None,
    }
    Some(bytes)
}
