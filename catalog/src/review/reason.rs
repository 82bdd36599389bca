//! The names of changes, and which of them somebody has to say yes to.

use serde::Serialize;

use super::schema::Class;

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal $stops:literal $class:ident;)+) => {
        /// The name of a change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Reason {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Reason {
            /// All of them, in the order of this file.
            pub const ALL: &'static [Reason] = &[$(Reason::$name),+];

            /// As reports and messages write it.
            pub fn as_str(self) -> &'static str {
                match self { $(Reason::$name => $text,)+ }
            }

            /// Whether somebody has to say yes to it: a power is gained, or a promise broken.
            pub fn stops(self) -> bool {
                match self { $(Reason::$name => $stops,)+ }
            }

            /// How it treats those who call today.
            pub fn class(self) -> Class {
                match self { $(Reason::$name => Class::$class,)+ }
            }
        }
    };
}

reasons! {
    /// There was no such module.
    ModuleAdded "module_added" true Widening;
    /// The module is gone.
    ModuleRemoved "module_removed" true Breaking;
    /// Its bytes are others: what it does may be something else, whatever else this report finds or does not.
    CodeChanged "code_changed" true Compatible;
    /// It was built for another version of the boundary.
    WitChanged "wit_changed" true Compatible;
    /// It can reach something new.
    GrantAdded "grant_added" true Compatible;
    /// It can no longer reach something.
    GrantRemoved "grant_removed" false Compatible;
    /// It may reach something that it does not import.
    GrantUnused "grant_unused" true Compatible;
    /// It can reach the outside in a way that no operation says it needs.
    GrantUnneeded "grant_unneeded" true Compatible;
    /// It sees more of other modules.
    ReadsAdded "reads_added" true Compatible;
    /// It sees less of other modules.
    ReadsRemoved "reads_removed" false Compatible;
    /// It may have more called in the customer's name.
    ScheduleAdded "schedule_added" true Compatible;
    /// It may have less called in the customer's name.
    ScheduleRemoved "schedule_removed" false Compatible;
    /// What is not destructive may remove more.
    MayRemoveAdded "may_remove_added" true Compatible;
    /// What is not destructive may remove less.
    MayRemoveRemoved "may_remove_removed" false Compatible;
    /// A bound was raised.
    LimitRaised "limit_raised" true Compatible;
    /// A bound was lowered: what was done in one call may no longer be.
    LimitLowered "limit_lowered" true Compatible;
    /// It keeps something new.
    CollectionAdded "collection_added" false Compatible;
    /// What it keeps can be asked in a new way; rows that are there are given their keys before it comes into force.
    IndexAdded "index_added" false Compatible;
    /// An index is over other members: rows that are there are given new keys before it comes into force.
    IndexChanged "index_changed" true Compatible;
    /// What it keeps can no longer be asked in a way, neither by itself nor by modules that read it.
    IndexRemoved "index_removed" true Compatible;
    /// A collection of its own is gone: what is stored in it stays out of reach.
    CollectionRemoved "collection_removed" true Compatible;
    /// Rows that are stored cannot be read any more.
    RecordBreaks "record_breaks" true Breaking;
    /// Rows that are written from now on could not be read after a rollback.
    RecordOneWay "record_one_way" true Compatible;
    /// Rows have another form, into which the module brings older ones; rows written since could not be read after a rollback.
    RecordUpgraded "record_upgraded" true Compatible;
    /// Rows have a lower form than before: those that are stored in the higher one cannot be read.
    RecordFormLowered "record_form_lowered" true Breaking;
    /// Rows hold something else than before, and old and new ones are read on both sides.
    RecordChanged "record_changed" false Compatible;
    /// Jobs that are under way cannot be gone on with.
    JobBreaks "job_breaks" true Breaking;
    /// Jobs that are under way could not be gone on with after a rollback.
    JobOneWay "job_one_way" true Compatible;
    /// Jobs carry something else than before, and are gone on with on both sides.
    JobChanged "job_changed" false Compatible;
    /// The kinds of its jobs changed; what is queued under the old name no longer runs.
    StepRemoved "step_removed" true Compatible;
    /// A kind of job came.
    StepAdded "step_added" false Compatible;
    /// An operation came.
    OperationAdded "operation_added" false Widening;
    /// An operation came that changes what is stored or outside.
    WriteAdded "write_added" true Widening;
    /// An operation came that removes.
    DestructiveAdded "destructive_added" true Widening;
    /// An operation is gone; callers get 404.
    OperationRemoved "operation_removed" true Breaking;
    /// It may do another kind of thing.
    KindChanged "kind_changed" true Breaking;
    /// It answers at once and did not, or the reverse.
    ModeChanged "mode_changed" true Breaking;
    /// It needs a scope that it did not need.
    ScopeAdded "scope_added" true Breaking;
    /// It no longer needs a scope.
    ScopeRemoved "scope_removed" true Widening;
    /// A call costs more points.
    CostRaised "cost_raised" true Breaking;
    /// A call costs fewer points.
    CostLowered "cost_lowered" false Compatible;
    /// The points are reckoned in another way.
    CostChanged "cost_changed" true Breaking;
    /// A call costs credits in another way.
    PriceChanged "price_changed" true Breaking;
    /// It needs something that it did not need.
    NeedAdded "need_added" true Breaking;
    /// It no longer needs something.
    NeedRemoved "need_removed" false Compatible;
    /// It may ask customers' providers for more.
    EgressAdded "egress_added" true Compatible;
    /// It may ask customers' providers for less.
    EgressRemoved "egress_removed" false Compatible;
    /// The public pages that it may ask for changed.
    WebChanged "web_changed" true Compatible;
    /// A call that was right is refused, or means something else.
    ArgumentsBreak "arguments_break" true Breaking;
    /// It takes more.
    ArgumentsWidened "arguments_widened" false Widening;
    /// What results promised is no longer so.
    ResultBreaks "result_breaks" true Breaking;
    /// Results say more.
    ResultWidened "result_widened" false Widening;
    /// A secret argument is no longer sealed.
    SecretRemoved "secret_removed" true Compatible;
    /// An argument is sealed that was not.
    SecretAdded "secret_added" false Compatible;
    /// It changes other things beside its answer.
    SideEffectsChanged "side_effects_changed" true Compatible;
    /// What people and agents read of it changed.
    WordsChanged "words_changed" true Compatible;
    /// A text speaks to the agent that reads it, in place of about the operation.
    SpeaksToAgents "speaks_to_agents" true Compatible;
    /// The examples that people and agents are shown changed.
    ExamplesChanged "examples_changed" false Compatible;
    /// Text of others is no longer marked as such: an agent would take it for this service's words.
    UntrustedRemoved "untrusted_removed" true Compatible;
    /// More is marked as text of others.
    UntrustedAdded "untrusted_added" false Compatible;
    /// The contract changed, and only its hash is known.
    ContractChanged "contract_changed" true Breaking;
    /// The contract of a final revision changed.
    ChangedInPlace "changed_in_place" true Breaking;
}
