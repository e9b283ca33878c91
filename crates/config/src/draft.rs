//! Every setting in its field, before keys are fetched and what belongs together is checked.

use artoo_model::ModelConfig;
use artoo_types::setting::{ControlParams, UnaskedRules};
use artoo_web::SearchProvider;

use super::storage::StorageParams;

/// The fields that the rows of [`super::SETTINGS`] put their values into.
#[derive(Debug, Clone, Default)]
pub(super) struct ConfigDraft {
    /// Both tiers, without keys.
    pub(super) models: ModelConfig,
    pub(super) control: ControlParams,
    /// What may be done unasked.
    pub(super) unasked: UnaskedRules,
    pub(super) storage: StorageParams,
    /// Whether ended tasks are reflected on.
    pub(super) reflect: bool,
    /// Whether tools may use the internet.
    pub(super) web: bool,
    pub(super) search: SearchDraft,
    /// What tells a person that is not looking.
    pub(super) notify: Option<String>,
}

/// Who searches the web.
#[derive(Debug, Clone, Default)]
pub(super) struct SearchDraft {
    /// None: nobody.
    pub(super) provider: Option<SearchProvider>,
    pub(super) base_url: Option<String>,
    pub(super) engine_id: String,
    /// LangSearch's own address, where that searches.
    pub(super) langsearch_url: Option<String>,
}
