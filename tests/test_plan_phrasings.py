"""Free wordings, as people type them, and the template each must select.

Written beside the cues, so they show breadth; the blind set is kept apart from this room.
"""

from __future__ import annotations

import pytest
from plan_material import planned

_PHRASINGS = """
causes-of-disease
    what leads to {disease:cirrhosis}
    Etiology of {disease:pancreatitis}
    What triggers {disease:migraine}?
    Which are the major risk factors of {disease:osteoporosis}?
    what is behind {disease:narcolepsy}?
    What are the causes of {disease:anemia}?
    how does {disease:gout} develop?
    What is {disease:scurvy} caused by?
    reasons for {disease:infertility}
chemicals-of-drug
    Which metabolites are changed by {chemical:atorvastatin}?
contraindications-of-drug
    When should {chemical:ibuprofen} be avoided?
    Which patients must not take {chemical:warfarin}?
    What diseases contraindicate {chemical:metoprolol}?
    Which conditions are contraindications to {chemical:estradiol}?
diseases-of-drug
    what is {chemical:sildenafil} used to treat
    When is {chemical:amoxicillin} prescribed?
    What conditions can {chemical:gabapentin} help with?
    what are the uses of {chemical:aspirin}
    What disease is {chemical:riluzole} indicated for?
    Which disorders is {chemical:lithium} taken for?
    therapeutic indications for {chemical:rituximab}
    What is {chemical:thalidomide} approved for?
    What illnesses are treated with {chemical:penicillin}?
    Why would a doctor prescribe {chemical:amitriptyline}?
    What does {chemical:azathioprine} treat?
    what is {chemical:minoxidil} good for
    For which cancers is {chemical:olaparib} used?
diseases-of-gene
    What diseases is {gene:PTEN} involved in?
    Which cancers are driven by {gene:KRAS}?
    In what disorders is {gene:MECP2} mutated?
    What happens when {gene:DMD} is mutated?
    which conditions result from {gene:GBA} mutations?
    what disease is caused by a defect in {gene:PAH}?
    {gene:MYH7} is associated with which disorders?
    what does a mutation of {gene:HBB} cause?
    What do mutations in {gene:COL1A1} cause?
diseases-of-phenotype
    Which diseases can cause {phenotype:fatigue}?
    What disorder is characterized by {phenotype:chorea}?
    what condition causes {phenotype:blue sclerae}?
    In which diseases does {phenotype:seizure} occur?
drug-by-disease-and-process
    What drug treats {disease:hypertension} by modulating {process:renin secretion}?
    Find a medicine for {disease:osteoporosis} which slows {process:bone resorption}
    which compounds act on {process:inflammatory response} in {disease:psoriasis}?
    Is there any therapy for {disease:cancer} that works through {process:angiogenesis}?
    Which drug for {disease:gout} interferes with {process:uric acid synthesis}?
    Suggest a medication that treats {disease:epilepsy} by affecting {process:sodium ion transport}.
    {disease:fever} treatment via {process:prostaglandin biosynthetic process}: which drug?
    What could treat {disease:obesity} by acting on {process:lipid absorption}?
drug-by-gene-and-disease
    Are there drugs that block {gene:JAK2} and help in {disease:myelofibrosis}?
    Which medications for {disease:breast cancer} hit {gene:ERBB2}?
    List {gene:EGFR} inhibitors approved for {disease:lung cancer}
    what can be prescribed for {disease:melanoma} that targets {gene:BRAF}
    what are some {gene:TNF} blockers used in {disease:Crohn disease}
    Which {disease:leukemia} drugs are inhibitors of {gene:ABL1}?
    which approved drugs for {disease:psoriasis} act through {gene:IL17A}
drugs-causing-condition
    What drugs are known to cause {disease:liver injury}?
    Which substances induce {disease:asthma}?
    Drugs to avoid in {disease:myasthenia gravis}
    Which drugs worsen {disease:heart failure}?
    Which medicines lead to {phenotype:weight gain}?
    Which drug is responsible for {disease:Reye syndrome}?
    what medication causes {phenotype:dry cough}?
    Which chemicals are risk factors for {disease:lung cancer}?
    What drugs may exacerbate {disease:psoriasis}?
drugs-interacting-with-drug
    What should I not mix with {chemical:MAO inhibitor}?
    Which medications interact with {chemical:digoxin}?
    drugs that interact with {chemical:lithium}
    can you name medications that shouldn't be taken with {chemical:ketoconazole}?
drugs-of-disease
    What can be used to treat {disease:scabies}?
    How do you treat {disease:anemia}?
    treatment of {disease:hyperthyroidism}
    Which medicines help against {disease:nausea}?
    What is the first-line therapy for {disease:gonorrhea}?
    Is there a cure for {disease:Ebola}?
    what helps with {disease:insomnia}
    I have {disease:migraine}, what medication should I take?
    what's the best treatment for {disease:rosacea}
    Which antibiotics work against {disease:cholera}?
    how can {disease:GERD} be managed?
    Which drug would you recommend for {disease:angina}?
    What are current therapies in {disease:multiple sclerosis}?
    meds for {disease:ADHD}
    what cures {disease:syphilis}
    Are there any treatments for {disease:Rett syndrome}?
    what do doctors give for {disease:gout}?
    {disease:leprosy} drugs
    Which compounds have been tested against {disease:Chagas disease}?
    what small molecules could be repurposed for {disease:COVID-19}?
drugs-of-disease:in-trials
    which agents are in clinical trials for {disease:ALS}
drugs-of-disease:prevented
    Which drugs prevent {disease:stroke}?
    Which drugs reduce the risk of {disease:stroke}?
    prophylaxis of {disease:malaria}
    What protects against {disease:scurvy}?
drugs-of-gene
    What medicines act on {gene:HTR2A}?
    What molecules bind to {gene:ACE2}?
    Can you list drugs targeting {gene:VEGFA}?
    which drugs are known to modulate {gene:CFTR}?
    is there a drug against {gene:KRAS}?
    what chemicals interact with {gene:ESR1}?
drugs-of-gene:decreased
    {gene:PARP1} inhibitors
    Which small molecules inhibit {gene:MTOR}?
    What are antagonists of {gene:HRH1}?
    Which drugs are {gene:PDE5A} inhibitors?
    what medications lower {gene:PCSK9}?
    antagonists of {gene:CRHR1}
    blockers of {gene:KCNA5}
drugs-changing-level
    Which compounds reduce the concentration of {chemical:homocysteine}?
    medicines that lower {chemical:triglycerides}
    What suppresses {process:fibrinolysis}?
drugs-changing-level:increased
    Which drugs raise {chemical:potassium} levels?
    what elevates {chemical:prolactin}
    chemicals that enhance {process:neurogenesis}
drugs-of-gene:increased
    activators of {gene:SIRT1}
    agonists of {gene:MC4R}
    Which drugs activate {gene:GLP1R}?
    Which substances increase {gene:EPO} expression?
enzymes-of-chemical
    What enzymes metabolize {chemical:warfarin}?
    {chemical:codeine} is metabolised by which enzyme?
    Which enzyme synthesizes {chemical:histamine}?
    which proteins transport {chemical:bilirubin}
    What metabolises {chemical:caffeine}?
    enzymes responsible for {chemical:heme} degradation
    Which genes are involved in the synthesis of {chemical:cholesterol}?
gene-by-drug-and-disease
    Which gene best explains why {chemical:simvastatin} works in {disease:hypercholesterolemia}?
    By which receptor does {chemical:propranolol} lower {disease:hypertension}?
    What protein is responsible for the effect of {chemical:warfarin} on {disease:thrombosis}?
    I'd like to know the main molecular target of {chemical:gefitinib} in {disease:lung cancer}.
    {chemical:omeprazole} heals {disease:peptic ulcer} by acting on which enzyme?
    Name the transporter that mediates the benefit of {chemical:furosemide} in {disease:edema}
    in {disease:asthma}, which gene does {chemical:montelukast} act on
    Which genes mediate the action of {chemical:methotrexate} in {disease:rheumatoid arthritis}?
    what is the gene that links {chemical:donepezil} to {disease:Alzheimer disease}
    which gene accounts for the action of {chemical:hydralazine} in {disease:hypertension}
    {chemical:Zolpidem} for {disease:insomnia}: which receptor is it?
    What is the key protein in the mechanism of {chemical:entacapone} in {disease:parkinsonism}?
    Through which target does {chemical:tamoxifen} exert its effect in {disease:breast cancer}?
    Which enzyme must {chemical:captopril} inhibit to lower pressure in {disease:hypertension}?
    Give the gene most responsible for {chemical:rituximab}'s efficacy against {disease:lymphoma}.
    Tell me which protein {chemical:sitagliptin} acts on when used for {disease:diabetes}?
    What does {chemical:imatinib} target in {disease:chronic myeloid leukemia}?
    Which gene plays a role in how {chemical:alteplase} treats {disease:stroke}
    Which gene, when inhibited by {chemical:captopril}, improves {disease:heart failure}?
genes-of-disease
    What are the genes behind {disease:Huntington disease}?
    Which gene is most strongly associated with {disease:Crohn disease}?
    Mutations in which genes lead to {disease:retinitis pigmentosa}?
    tell me which proteins are implicated in {disease:ALS}
    Potential therapeutic targets for {disease:glioblastoma}?
    genetic basis: genes for {disease:autism}
    Genes linked to {disease:epilepsy}?
    Which mutated gene is responsible for {disease:Huntington's disease}?
    What proteins play a role in {disease:osteoarthritis}?
    Give me the top 5 genes for {disease:schizophrenia}
    what genetic factors / genes predispose to {disease:celiac disease}
    which enzyme is deficient in {disease:Gaucher disease}?
    Which receptor is implicated in {disease:myasthenia gravis}?
    What gene defect causes {disease:cystic fibrosis}?
    What's the gene for {disease:sickle cell anemia}?
mechanism-of-drug
    how does {chemical:aspirin} work
    Mechanism of action of {chemical:metformin}
    Explain the pharmacodynamics of {chemical:digoxin}
    What are the effects of {chemical:caffeine}?
    What's the MOA of {chemical:ivermectin}?
    How do {chemical:statin} act?
mechanism-of-drug-in-disease
    What is the mechanism by which {chemical:tolvaptan} treats {disease:hyponatremia}?
    Describe the way through which the drug {chemical:niacin} helps {disease:pellagra}
    How does {chemical:metformin} lower blood sugar in {disease:diabetes}?
    Why does {chemical:aspirin} help with {disease:headache}?
    mechanism of action of {chemical:lithium} in {disease:bipolar disorder}
    Tell me how {chemical:prednisone} works for {disease:asthma}
    By what mechanism does {chemical:colchicine} relieve {disease:gout}?
    Can you explain how {chemical:ketamine} acts against {disease:depression}?
    What does {chemical:digoxin} do in {disease:heart failure}?
    How is {chemical:lithium} effective for {disease:mania}?
    how come {chemical:propranolol} helps {disease:anxiety}?
    What is {chemical:hydroxyurea}'s mode of action in {disease:sickle cell anemia}?
    in what way does {chemical:insulin glargine} work against {disease:diabetes}?
    What explains the effect of {chemical:bupropion} on {disease:nicotine dependence}?
    Describe the mechanism through which {chemical:spironolactone} treats {disease:heart failure}
metabolite-by-drug-and-disease
    Which small molecule is lowered by {chemical:febuxostat} in {disease:gout}?
    What hormone does {chemical:cabergoline} reduce when treating {disease:hyperprolactinemia}?
    Which endogenous compound mediates the effect of {chemical:levodopa} on {disease:parkinsonism}?
    The level of which metabolite changes when {chemical:metformin} is given in {disease:diabetes}?
    Which ion does {chemical:amiloride} affect in treating {disease:edema}?
    What chemical in the body does {chemical:selegiline} raise to help {disease:Parkinson disease}?
    Which biochemical entity does {chemical:aspirin} reduce when treating {disease:pain}?
one-hop
    Which genes are involved in {process:apoptosis}?
    Which drugs affect {process:gluconeogenesis}?
    Which diseases affect the {anatomy:liver}?
    Which genes are expressed in {anatomy:kidney}?
    What pathogens cause {disease:meningitis}?
    Which biomarkers are used for {disease:myocardial infarction}?
    Which tissues are affected by {disease:sarcoidosis}?
    which drugs modulate {process:autophagy}?
    Genes involved in {process:DNA repair}
    What cell types are affected by {disease:ALS}?
    which organs does {disease:lupus} affect?
    What metabolites are altered in {disease:gout}?
partners-of-gene
    What does {gene:BRCA2} interact with?
    Who are the binding partners of {gene:MDM2}?
    proteins that bind {gene:CALM1}
    which proteins form a complex with {gene:CUL3}?
    {gene:EGFR} interactors
partners-of-gene:anything-decreasing
    What blocks {gene:CTLA4}?
    what downregulates {gene:CDH1}?
partners-of-gene:anything-increasing
    What induces {gene:HMOX1}?
partners-of-gene:anything-regulating
    what controls {gene:SOX2}
    What is {gene:TP53} regulated by?
partners-of-gene:regulators
    What transcription factors regulate {gene:IL2}?
    Which genes are upstream of {gene:CASP3}?
    which genes control {gene:HBG1}
partners-of-gene:regulators-increased
    Which proteins activate {gene:NLRP3}?
partners-of-gene:targets
    Which proteins does {gene:CDK1} phosphorylate?
    What genes does {gene:NFKB1} control?
    targets of {gene:MYC}
    What genes are downstream of {gene:HIF1A}?
partners-of-gene:targets-decreased
    Which genes does {gene:TP53} repress?
    What does {gene:MIR21} suppress?
partners-of-gene:targets-increased
    What is activated by {gene:KRAS}?
    Which genes does {gene:GATA1} turn on?
phenotypes-of-disease
    How does {disease:measles} manifest?
    What are common manifestations of {disease:sarcoidosis}?
    Which clinical features characterize {disease:Noonan syndrome}?
    {disease:influenza} symptoms
    what signs does a patient with {disease:scurvy} show
    What does {disease:chickenpox} look like?
    Symptoms associated with {disease:hypothyroidism}
    which phenotypic abnormalities are seen in {disease:Down syndrome}
    what are the complications of {disease:diabetes}
phenotypes-of-gene
    What phenotypes result from loss of {gene:SHH}?
places-of-gene
    Which organs express {gene:ALB}?
    Where can {gene:INS} be found?
    In which cell types is {gene:FOXP3} active?
    in what tissue is {gene:MYH6} expressed?
    Where is {gene:ALB} produced?
process-by-drug-and-disease
    Which signaling pathway does {chemical:sirolimus} block to treat {disease:tuberous sclerosis}?
    Which biological process is targeted by {chemical:cisplatin} in {disease:ovarian cancer}?
processes-of-disease
    Which cellular processes go wrong in {disease:Parkinson disease}?
    pathophysiology of {disease:preeclampsia}
    what pathways are dysregulated in {disease:pancreatic cancer}
    What is the mechanism of {disease:migraine}?
processes-of-drug
    Which biological pathways are modulated by {chemical:curcumin}?
processes-of-gene
    What is {gene:BAX} responsible for?
    What role does {gene:GAPDH} play?
    functions of {gene:ACE}
    Which biological processes does {gene:ATG5} participate in?
    What pathway is {gene:NOTCH1} part of?
    what does {gene:PINK1} do?
    Describe the function of {gene:HFE}
    In which signaling pathways does {gene:WNT1} act?
    What is the biological role of {gene:LEP}?
relation-of-three
    How does {chemical:trastuzumab} acting on {gene:ERBB2} help in {disease:breast cancer}?
relation-of-two
    What is the relationship between {gene:APOE} and {disease:Alzheimer disease}?
    Is {gene:TP53} associated with {disease:breast cancer}?
    Does {chemical:ibuprofen} cause {disease:kidney failure}?
    Does {chemical:metformin} treat {disease:PCOS}?
    How is {gene:HTT} involved in {disease:Huntington disease}?
    Tell me about the connection between {disease:obesity} and {disease:diabetes}
    {gene:PCSK9} {disease:hypercholesterolemia}
    Can {chemical:zinc} be used as a treatment for {disease:common cold}?
    What evidence is there for {chemical:curcumin} as a treatment for {disease:arthritis}?
    Does {gene:MYC} regulate {gene:TERT}?
    Is {gene:KIT} a target of {chemical:imatinib}?
    How does {chemical:imatinib} affect {gene:ABL1}?
    How does {gene:CFTR} cause {disease:cystic fibrosis}?
    how are {chemical:smoking} and {disease:lung cancer} related
    is {chemical:fluoxetine} contraindicated in {disease:epilepsy}?
    Show the evidence linking {gene:LRRK2} to {disease:Crohn disease}
    what connects {gene:SLC12A3} with {disease:hypertension}
    How might {gene:IL6} influence {disease:depression}?
    Any association between {disease:psoriasis} and {disease:Crohn disease}?
    is there a link between {chemical:aspartame} and {disease:migraine}?
    What's the connection between {gene:MTHFR} and {disease:stroke}?
    Explain the relation of {process:autophagy} to {disease:Parkinson disease}
    Could {gene:JAK1} play a role in {disease:eczema}?
    Is {chemical:tretinoin} good for {disease:acne}?
    {chemical:Metformin} vs {chemical:glipizide}
    Does {chemical:clopidogrel} interact with {chemical:omeprazole}?
    what does {gene:TP53} have to do with {disease:glioma}?
    Why is {gene:BRCA1} important in {disease:ovarian cancer}?
    how strongly is {gene:HLA-B} linked to {disease:ankylosing spondylitis}?
    Is {disease:asthma} caused by {chemical:ozone}?
    does {gene:CYP2C9} metabolize {chemical:warfarin}?
    how does {disease:diabetes} lead to {disease:retinopathy}?
    What is the effect of {chemical:caffeine} on {gene:ADORA2A}?
    Does the drug {chemical:tamoxifen} act on the gene {gene:ESR1}?
side-effects-of-drug
    What adverse reactions are known for {chemical:amiodarone}?
    Does {chemical:isotretinoin} have side effects?
    {chemical:prednisone} side effects
    What problems does {chemical:statin} cause?
    Which symptoms may {chemical:ACE inhibitor} induce?
    what bad things happen when taking {chemical:codeine}
    how toxic is {chemical:paracetamol}
    What adverse effects has {chemical:tacrolimus}?
    Is {chemical:thalidomide} harmful?
    What complications can arise from {chemical:heparin}?
    what does {chemical:alcohol} cause
targets-of-drug
    What does {chemical:caffeine} act on?
    Which receptors does {chemical:clozapine} bind to?
    What genes are affected by {chemical:valproic acid}?
    Give me the protein targets of {chemical:sunitinib}
    {chemical:ibuprofen}'s molecular targets
    which proteins does {chemical:vemurafenib} hit?
    what is the primary target of {chemical:erlotinib}
    On which receptor does {chemical:morphine} act?
    What's {chemical:losartan}'s target?
    list all known targets for {chemical:sorafenib}
    what binds {chemical:biotin}?
    what does {chemical:aspirin} bind to?
substrates-of-gene
    Which substances does {gene:ALDH2} oxidise?
    What is broken down by {gene:ACHE}?
    Which compounds are transported by {gene:SLC6A4}?
    What does {gene:TPH2} make?
    Which drugs are substrates of {gene:CYP2C19}?
substrates-of-gene:any
    substrates of {gene:FAAH}
targets-of-drug:decreased
    What does {chemical:ibuprofen} inhibit?
    Which enzymes are blocked by {chemical:allopurinol}?
    which gene's activity is decreased by {chemical:hydrochlorothiazide}?
    What is {chemical:simvastatin} an inhibitor of?
targets-of-drug:increased
    What does {chemical:nicotine} activate?
three-conditions
    Which genes are linked to {disease:asthma}, {disease:obesity} and {disease:depression}?
two-conditions
    Genes implicated in both {disease:schizophrenia} and {disease:bipolar disorder}
    What genes do {disease:asthma} and {disease:COPD} have in common?
    Which diseases involve {gene:SNCA} and {gene:LRRK2}?
    Which proteins are targeted by {chemical:imatinib} and {chemical:dasatinib}?
    Which drugs treat both {disease:hypertension} and {disease:migraine}?
    which pathways connect {gene:INS} and {disease:diabetes}?
    What symptoms are shared by {disease:lupus} and {disease:rheumatoid arthritis}?
    Which genes associated with {disease:asthma} take part in {process:inflammatory response}?
    which genes are common to {disease:obesity} and {disease:type 2 diabetes}
    What drugs hit both {gene:EGFR} and {gene:ERBB2}?
    Name compounds that inhibit {gene:BRAF} and {gene:MAP2K1}.
    Diseases related to {gene:APP} as well as {gene:PSEN1}
    What genes overlap between {disease:ALS} and {disease:frontotemporal dementia}?
    Which phenotypes occur in both {disease:Marfan syndrome} and {disease:Ehlers-Danlos syndrome}?
"""


def _table() -> list[tuple[str, str]]:
    rows, template = [], ""
    for line in _PHRASINGS.strip().splitlines():
        if line.startswith(" "):
            rows.append((template, line.strip()))
        else:
            template = line
    return rows


@pytest.mark.parametrize(("template", "question"), _table())
def test_a_free_wording_selects_its_template(template: str, question: str) -> None:
    assert planned(question).template == template


@pytest.mark.parametrize(("template", "question"), _table()[::7])
def test_capitals_and_spacing_change_nothing(template: str, question: str) -> None:
    shouted = question[:1].upper() + question[1:].replace(" ", "  ")
    assert planned(f"  {shouted} ").template == template
