//! Pictures of screens that a session keeps as blobs, small PNG files. What is in them is not checked: the folder may be
//! anybody's.

use std::path::Path;

use retap_store::SessionView;

pub use retap_store::BlobId as PictureId;

use crate::error::Result;

/// The bytes of a picture that a session names.
pub fn picture(folder: &Path, id: PictureId) -> Result<Vec<u8>> {
    Ok(SessionView::open(folder)?.get(&id)?)
}
