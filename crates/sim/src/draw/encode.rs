//! The canvas as a PNG file with a palette.

use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

use super::canvas::Canvas;

/// Writes the picture. Rows are not filtered: plain pages with a palette pack better as they are.
pub(super) fn png(canvas: &Canvas) -> Vec<u8> {
    let mut file = Vec::new();
    let size = canvas.size();
    let mut encoder = Encoder::new(&mut file, size.width, size.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(canvas.palette().concat());
    encoder.set_deflate_compression(DeflateCompression::Level(LEVEL));
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().expect("a picture has width, height and a palette");
    writer.write_image_data(canvas.pixels()).expect("writing to memory does not fail");
    writer.finish().expect("writing to memory does not fail");
    file
}

/// Packs nearly as well as the higher levels, in half their time.
const LEVEL: u8 = 5;
