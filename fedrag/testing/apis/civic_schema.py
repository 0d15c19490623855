"""The part of CIViC's GraphQL schema that the loopback CIViC serves.

Types, fields, arguments and nullability are those of the published schema (a test compares them
where it is at hand); what nothing asks for is left out.
"""

from __future__ import annotations

__all__ = ["SCHEMA"]

_CONNECTION = """
type {name}Connection {{
  nodes: [{name}!]!
  pageCount: Int!
  pageInfo: PageInfo!
  totalCount: Int!
}}
"""

SCHEMA = """
type Query {
  evidenceItems(
    after: String, first: Int, id: Int, molecularProfileId: Int, molecularProfileName: String,
    therapyId: Int, diseaseId: Int, evidenceType: EvidenceType, status: EvidenceStatusFilter
  ): EvidenceItemConnection!
  assertions(
    after: String, first: Int, id: Int, molecularProfileId: Int, molecularProfileName: String,
    therapyId: Int, diseaseId: Int, assertionType: EvidenceType, status: EvidenceStatusFilter
  ): AssertionConnection!
  molecularProfile(id: Int!): MolecularProfile
  molecularProfiles(
    after: String, first: Int, name: String, alleleRegistryId: String, geneId: Int, variantId: Int,
    evidenceStatusFilter: AssociatedEvidenceStatusFilter
  ): MolecularProfileConnection!
  variants(
    after: String, first: Int, name: String, alleleRegistryId: String
  ): VariantInterfaceConnection!
  genes(
    after: String, first: Int, entrezIds: [Int!], entrezSymbols: [String!]
  ): GeneConnection!
  therapies(after: String, first: Int, id: Int, name: String, ncitId: String): TherapyConnection!
  diseases(after: String, first: Int, id: Int, name: String, doid: String): DiseaseConnection!
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

type EvidenceItem {
  id: Int!
  name: String!
  link: String!
  status: EvidenceStatus!
  flagged: Boolean!
  evidenceType: EvidenceType!
  evidenceDirection: EvidenceDirection!
  evidenceLevel: EvidenceLevel!
  evidenceRating: Int
  significance: EvidenceSignificance!
  variantOrigin: VariantOrigin!
  therapyInteractionType: TherapyInteraction
  description: String!
  disease: Disease
  therapies: [Therapy!]!
  molecularProfile: MolecularProfile!
  source: Source!
}

type Assertion {
  id: Int!
  name: String!
  link: String!
  status: EvidenceStatus!
  flagged: Boolean!
  assertionType: AssertionType!
  assertionDirection: AssertionDirection!
  significance: AssertionSignificance!
  ampLevel: AmpLevel
  regulatoryApproval: Boolean
  fdaCompanionTest: Boolean
  nccnGuideline: NccnGuideline
  variantOrigin: VariantOrigin!
  therapyInteractionType: TherapyInteraction
  summary: String!
  disease: Disease
  therapies: [Therapy!]!
  molecularProfile: MolecularProfile!
  evidenceItems: [EvidenceItem!]!
}

type EvidenceItemsByStatus {
  acceptedCount: Int!
}

type VariantInterfaceConnection {
  nodes: [VariantInterface!]!
  totalCount: Int!
  pageInfo: PageInfo!
}

type MolecularProfile {
  id: Int!
  name: String!
  link: String!
  evidenceCountsByStatus: EvidenceItemsByStatus!
  isComplex: Boolean!
  isMultiVariant: Boolean!
  deprecated: Boolean!
  molecularProfileAliases: [String!]!
  variants: [VariantInterface!]!
}

interface VariantInterface {
  id: Int!
  name: String!
  link: String!
  variantAliases: [String!]!
  deprecated: Boolean!
  feature: Feature!
  singleVariantMolecularProfile: MolecularProfile!
}

type GeneVariant implements VariantInterface {
  id: Int!
  name: String!
  link: String!
  variantAliases: [String!]!
  deprecated: Boolean!
  feature: Feature!
  singleVariantMolecularProfile: MolecularProfile!
  alleleRegistryId: String
  clinvarIds: [String!]!
  hgvsDescriptions: [String!]!
}

type FusionVariant implements VariantInterface {
  id: Int!
  name: String!
  link: String!
  variantAliases: [String!]!
  deprecated: Boolean!
  feature: Feature!
  singleVariantMolecularProfile: MolecularProfile!
}

type Feature {
  id: Int!
  name: String!
  featureInstance: FeatureInstance!
}

union FeatureInstance = Fusion | Gene

type Gene {
  id: Int!
  name: String!
  entrezId: Int!
  variants(after: String, first: Int, name: String): GeneVariantConnection!
}

type Fusion {
  id: Int!
  name: String!
}

type Therapy {
  id: Int!
  name: String!
  ncitId: String
}

type Disease {
  id: Int!
  name: String!
  doid: String
}

type Source {
  id: Int!
  citation: String
  citationId: String!
  sourceType: SourceSource!
}

type NccnGuideline {
  id: Int!
  name: String!
}

enum AmpLevel { NA TIER_III TIER_II_LEVEL_C TIER_II_LEVEL_D TIER_IV TIER_I_LEVEL_A TIER_I_LEVEL_B }
enum AssertionDirection { DOES_NOT_SUPPORT SUPPORTS }
enum AssertionSignificance {
  ADVERSE_RESPONSE BENIGN BETTER_OUTCOME LIKELY_BENIGN LIKELY_ONCOGENIC LIKELY_PATHOGENIC NA
  NEGATIVE ONCOGENIC PATHOGENIC POOR_OUTCOME POSITIVE REDUCED_SENSITIVITY RESISTANCE
  SENSITIVITYRESPONSE UNCERTAIN_SIGNIFICANCE
}
enum AssertionType { DIAGNOSTIC ONCOGENIC PREDICTIVE PREDISPOSING PROGNOSTIC }
enum AssociatedEvidenceStatusFilter {
  ALL WITH_ACCEPTED WITH_ACCEPTED_OR_SUBMITTED WITH_SUBMITTED
}
enum EvidenceDirection { DOES_NOT_SUPPORT NA SUPPORTS }
enum EvidenceLevel { A B C D E }
enum EvidenceSignificance {
  ADVERSE_RESPONSE BENIGN BETTER_OUTCOME DOMINANT_NEGATIVE GAIN_OF_FUNCTION LIKELY_BENIGN
  LIKELY_ONCOGENIC LIKELY_PATHOGENIC LOSS_OF_FUNCTION NA NEGATIVE NEOMORPHIC ONCOGENICITY PATHOGENIC
  POOR_OUTCOME POSITIVE PREDISPOSITION PROTECTIVENESS REDUCED_SENSITIVITY RESISTANCE
  SENSITIVITYRESPONSE UNALTERED_FUNCTION UNCERTAIN_SIGNIFICANCE UNKNOWN
}
enum EvidenceStatus { ACCEPTED REJECTED SUBMITTED }
enum EvidenceStatusFilter { ACCEPTED ALL NON_REJECTED REJECTED SUBMITTED }
enum EvidenceType { DIAGNOSTIC FUNCTIONAL ONCOGENIC PREDICTIVE PREDISPOSING PROGNOSTIC }
enum SourceSource { ASCO ASH PUBMED }
enum TherapyInteraction { COMBINATION SEQUENTIAL SUBSTITUTES }
enum VariantOrigin { COMBINED COMMON_GERMLINE MIXED NA RARE_GERMLINE SOMATIC UNKNOWN }
""" + "".join(
    _CONNECTION.format(name=name)
    for name in (
        "EvidenceItem",
        "Assertion",
        "MolecularProfile",
        "Gene",
        "GeneVariant",
        "Therapy",
        "Disease",
    )
)
