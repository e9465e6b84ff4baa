//! An object, opened: its known fields to be taken one by one, the unknown ones put aside.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::format::Shape;

use super::{Decode, Json, JsonPath, Unknown, Wrong};

/// The known fields of an object.
pub(crate) struct Fields<'p, 't> {
    path: &'p JsonPath<'p>,
    known: Vec<(Cow<'t, str>, Json<'t>)>,
}

impl<'p, 't> Fields<'p, 't> {
    /// Opens the object as one of this shape. What the shape does not have is unknown.
    pub(crate) fn open<T: Decode>(
        json: Json<'t>,
        shape: Shape,
        path: &'p JsonPath<'p>,
        unknown: &mut Unknown,
    ) -> Result<Self, Wrong> {
        let Json::Object(mut known) = json else {
            return Err(T::unexpected(&json, path));
        };
        if let Some(name) = duplicate(&known) {
            return Err(JsonPath::Field(path, name).stands_twice());
        }
        let is_unknown = |(name, _): &mut (Cow<'t, str>, _)| !shape.fields().contains(&name.as_ref());
        for (name, json) in known.extract_if(.., is_unknown) {
            if let Unknown::Keep(extra) = unknown {
                let value = json.into_value(&JsonPath::Field(path, &name))?;
                extra.keep(path, name.into_owned(), value);
            }
        }
        Ok(Self { path, known })
    }

    /// A field that must be there.
    pub(crate) fn need<T: Decode>(&mut self, name: &str, unknown: &mut Unknown) -> Result<T, Wrong> {
        match self.may(name, unknown)? {
            Some(value) => Ok(value),
            None => {
                Err(JsonPath::Field(self.path, name).wrong(format!("is missing; expected {}", T::EXPECTED)))
            }
        }
    }

    /// A field that may be there. `null` is as good as absent.
    pub(crate) fn may<T: Decode>(&mut self, name: &str, unknown: &mut Unknown) -> Result<Option<T>, Wrong> {
        let Some(nth) = self.known.iter().position(|(known, _)| known == name) else {
            return Ok(None);
        };
        match self.known.swap_remove(nth).1 {
            Json::Null => Ok(None),
            json => T::decode(json, &JsonPath::Field(self.path, name), unknown).map(Some),
        }
    }

    /// A field that counts as its default when it is not there.
    pub(crate) fn or_default<T: Decode + Default>(
        &mut self,
        name: &str,
        unknown: &mut Unknown,
    ) -> Result<T, Wrong> {
        Ok(self.may(name, unknown)?.unwrap_or_default())
    }
}

/// The name of a field that stands twice.
pub(crate) fn duplicate<'f>(fields: &'f [(Cow<'_, str>, Json<'_>)]) -> Option<&'f str> {
    // A hostile line may have a million fields, a usual one has four.
    const FEW: usize = 16;
    let names = || fields.iter().map(|(name, _)| name.as_ref());
    if fields.len() <= FEW {
        return names()
            .enumerate()
            .find(|(nth, name)| names().take(*nth).any(|before| before == *name))
            .map(|(_, name)| name);
    }
    let mut seen = BTreeSet::new();
    names().find(|name| !seen.insert(*name))
}
