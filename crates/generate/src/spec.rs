//! Simulated devices whose apps may be generated ones: `sim:gen?seed=1&screens=80&drop=0.02`.

use std::sync::Arc;

use retap_sim::app::App;
use retap_sim::{AppSource, SimDevice, SimSpec, SimSpecError};

use crate::{Recipe, RecipeError, generate};

/// The app of a specification, read or generated. `read` returns the text of a file, or says why it cannot.
pub fn load(spec: &SimSpec, read: &dyn Fn(&str) -> Result<String, String>) -> Result<App, SimSpecError> {
    let AppSource::Generated(knobs) = &spec.app else { return spec.load(read) };
    let refused = |error: RecipeError| SimSpecError(error.to_string());
    let recipe = Recipe::parse(knobs).map_err(refused)?;
    generate(&recipe).map(|generated| generated.app).map_err(refused)
}

/// The device that a specification describes.
pub fn open(text: &str, read: &dyn Fn(&str) -> Result<String, String>) -> Result<SimDevice, SimSpecError> {
    let spec: SimSpec = text.parse()?;
    SimDevice::new(&spec, Arc::new(load(&spec, read)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apps_are_generated_or_read() {
        let open = |text: &str| open(text, &|path| Err(format!("no file {path}")));
        assert_eq!(
            &*open("sim:gen?seed=7&screens=8&bugs=1&drop=0.1").unwrap().machine().program().app().name,
            "gen7"
        );
        assert_eq!(&*open("sim:notes").unwrap().machine().program().app().name, "notes");
        assert_eq!(open("sim:a.app").unwrap_err().to_string(), "cannot read a.app: no file a.app");
        let wrong = |query: &str| open(&format!("sim:gen?{query}")).unwrap_err().to_string();
        assert_eq!(wrong("sceens=8"), "generated apps have no knob 'sceens'; did you mean `screens`?");
        assert_eq!(wrong("screens=0"), "the knob 'screens' takes a whole number from 1 to 2000, not '0'");
    }
}
