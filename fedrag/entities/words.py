"""The English around the names: words that end a name, may be inside one, or never are one.

Four sets of lower-case words, singular and plural alike where both occur:

- ``BREAKS`` never stand inside a name; a span does not cross them.
- ``LINKS`` may stand inside a name ("malignant tumor *of* colon"), never at its edge.
- ``GENERIC`` name kinds of things; a span made of nothing else is no entity.
- ``COMMON`` are ordinary words that are also somebody's synonym; alone they are no entity, and
  alone they are never reported as unresolved.
"""

from __future__ import annotations

__all__ = ["BREAKS", "COMMON", "GENERIC", "LINKS", "is_plain"]

BREAKS: frozenset[str] = frozenset(
    """
    what which who whom whose how why when where whether does do did doing is are was were be been
    being am can could may might should would will shall must has have had having
    treat treats treated treating cure cures cured curing affects affected affecting impacts
    impacted impacting causes caused causing prevents prevented preventing helps helped
    uses used using link links connect connects connected connecting relate relates interacts
    inhibits activates activated regulates modulates modulated increases decreases reduces
    lowers raises targets targeted explain explains explained works working worked acts leads
    plays played involve involves influences influenced influencing affect impact prevent
    list show tell give find name identify describe me there that this these those it they them
    their i we you my your our he she his her if then than because so but while although
    indicated prescribed approved recommended known implicated contributes contribute
    mediates mediate underlie underlies underlying encodes binds interact alter alters altered
    exert exerts produces produced achieves achieved ameliorates ameliorate alleviates alleviate
    relieves relieve worsens worsen worsened triggers triggered induces exhibits inhibit activate
    regulate modulate suppress suppresses stimulate stimulates promote promotes reduce reducing
    respond responds reverse reverses upregulate upregulates downregulate downregulates
    predict predicts predicted predicting confer confers conferred conferring
    phosphorylates compare compared recommend recommends occur occurs happen happens require
    requires combat combats took cannot neither nor given gives gave improve improves improved
    """.split()  # noqa: SIM905
)

LINKS: frozenset[str] = frozenset(
    """
    of the a an in and or by to with for from on at as via due into within without against during
    involved related associated induced linked mediated dependent between both among through
    toward towards upon under over about across per not no non its s vs versus e.g i.e etc
    also any all some each every either other another such more most only same
    """.split()  # noqa: SIM905
)

GENERIC: frozenset[str] = frozenset(
    """
    gene genes protein proteins drug drugs disease diseases disorder disorders syndrome syndromes
    condition conditions illness illnesses phenotype phenotypes symptom symptoms sign signs
    feature features pathway pathways process processes mechanism mechanisms mechanistic
    biological biochemical molecular biology chemical chemicals compound compounds substance
    substances molecule molecules metabolite metabolites entity entities medicine medicines
    medication medications agent agents therapy therapies therapeutic therapeutics treatment
    treatments target targets receptor receptors enzyme enzymes inhibitor inhibitors agonist
    agonists antagonist antagonists activator activators blocker blockers ligand ligands partner
    partners interactor interactors regulator regulators substrate substrates transcription factor
    factors cell cells tissue tissues organ organs organism organisms species human humans patient
    patients people person individual individuals man men woman women child children adult adults
    mouse mice animal animals effect effects side adverse event events reaction reactions toxicity
    role roles function functions activity activities expression regulation signaling signalling
    action actions interaction interactions association associations relation relations relationship
    relationships connection evidence cause link links use uses indication indications
    contraindication contraindications risk mutation mutations variant variants variation
    polymorphism polymorphisms allele alleles biomarker biomarkers marker markers candidate
    candidates level levels response responses resistance sensitivity production synthesis
    development progression onset outcome outcomes complication complications inhibition activation
    binding modulation upregulation downregulation network networks system systems
    signal signals group class type types family member members component components
    product products dose dosage trial trials study studies research clinical medical
    complex subunit mutant infection infections physiological intermediate intermediates
    moa impact name names question example examples information microrna micrornas mirna mirnas
    rna rnas dna antibody antibodies kinase kinases transporter transporters channel channels
    pathophysiology etiology aetiology pathogenesis prognosis diagnosis pharmacology genetics
    biochemistry interplay peptide peptides hormone hormones vaccine vaccines requirement
    requirements company companies
    """.split()  # noqa: SIM905
)

COMMON: frozenset[str] = frozenset(
    """
    one two three four five six seven eight nine ten first second third last next single double
    many much few several various different similar common commonly rare frequent frequently often
    usually typically generally mainly mostly primarily particularly especially specifically
    significant significantly important importantly major minor main key central crucial critical
    essential possible potential potentially likely probable novel new old recent recently current
    currently modern early late long short high higher highest low lower lowest large small big
    great good better best bad worse worst strong stronger strongest weak direct directly indirect
    indirectly positive positively negative negatively normal abnormal healthy sick severe mild
    moderate acute chronic active inactive responsible effective efficient useful helpful safe
    available present absent certain specific general overall total whole part parts entire way
    ways manner means basis reason reasons fact facts case cases problem problems point points
    thing things kind kinds sort form forms list number numbers amount degree extent range rate
    time times day days week weeks month months year years age ages life body world place area
    take takes taking taken make makes making made get gets getting go goes going gone come comes
    keep keeps put puts set sets run runs see seen say said says know think thought mean meaning
    means want wants need needs try tries look looks like likes please thanks thank help hello
    increase decrease reduce raise change changes changed effecting treatable curable control
    controls controlled controlling manage manages managing management fight fights stop stops
    block blocks blocked blocking bind bound act work play lead suppress suppresses suppressing
    stimulate stimulates stimulating promote promotes promoting enhance enhances trigger induce
    inhibit inhibiting activate activating regulate regulating modulate modulating increasing
    decreasing reducing targeting interacting binding linking connecting associate mediating
    encode encoding encoded express expressed expressing code coding coded produce producing
    support supports supported supporting suggest suggests suggested indicate indicates show shown
    shows showing report reported reports describe described believe believed propose proposed
    share shared shares sharing overlap overlapping combine combined combination compare compared
    comparison differ difference differences distinguish determine determines determining
    doctor doctors physician physicians clinician clinicians nurse hospital researcher researchers
    scientist scientists literature database databases knowledge data paper papers article articles
    used using user users via per away back down up out off again ever never always still yet too
    very quite rather well just even now here already soon together alone apart instead
    therapeutically clinically biologically genetically pharmacologically medically physiologically
    molecularly underlying upstream downstream intracellular extracellular peripheral
    rest fat cat hat bat rat met was ran fan pan cap map tap lap gap bar car far jar tar war
    not not hot dot got cut out nut put set net bet kit hit fit bit sit pit tip dip lip rip zip
    fish bird dog cow pig camp clock nail sun moon star stars spin mask task fast last past
    impact large light dark red blue green black white hand head hold host end ends aim aims art
    open close closed cold warm clean clear free full empty hard soft easy simple rich poor
    term terms word words true false yes no maybe fact right left top bottom front middle
    option options choice choices line lines front-line first-line second-line front approach
    strategy strategies method methods benefit benefits beneficial harmful danger dangerous
    avoid avoided contraindicated warn warning linked anti resistant sensitive based deficient
    bound overexpressing amplified rearranged responsive refractory containing secreting lowering
    mutated driven discovered discover kill kills killed killing behind
    decide decides decided consider considers considered seem seems seemed happen happening
    become becomes remain remains begin begins start starts started happen tend tends appear appears
    exist exists existing allow allows follow follows following lack lacks lacking want wanted
    ask asks asked asking answer answers tell told learn learned understand understood wonder
    wonders read write written study studied test tests tested testing check checks prefer preferred
    offer offers choose chosen select selected pick picked summarise summarize summary review
    reviews overview detail details discuss discussed outline mention mentioned rank ranked
    order trouble lot lots bit thanks sake kindly plain english people somebody someone anybody
    anyone something anything nothing everything everyone nobody whatever anyway somehow
    otherwise perhaps maybe instead besides aside except also hence thus therefore however
    although though unclear unknown obvious evident apparent plausible relevant interesting curious
    sure ready able unable usual unusual typical ordinary regular routine standard modern everyday
    daily chief leading principal prominent notable famous popular favourite favorite preferred
    latest newest extra additional further less least fewer enough plenty half quarter dozen
    hundred thousand
    today yesterday tomorrow nowadays often sometimes rarely seldom once twice later earlier
    before after until since whilst near nearby beyond beneath above below inside outside onto
    elderly young younger older pregnant obese smokers smoker babies infants newborns teenagers
    clinic clinics practice guideline guidelines prescription prescriptions dose doses
    tolerated safely safety efficacy effectiveness contagious
    preventable avoidable reversible deadly dangerous serious widespread history background
    context perspective topic subject matter issue issues aspect aspects item items idea ideas
    source sources reference references citation citations publication publications journal
    break breaks broken found rise rises stage stages relax relaxes hits
    metabolise metabolises metabolize metabolizes consist consists concern concerns
    """.split()  # noqa: SIM905
)


def is_plain(word: str) -> bool:
    """Whether the lower-case word is in any of the four sets.

    >>> is_plain("treats"), is_plain("hypertension")
    (True, False)
    """
    return word in BREAKS or word in LINKS or word in GENERIC or word in COMMON
