/** Papers of a legal entity and of its people. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { newUpload } from '../files/file.ts'
import { describe, integer, maybe, model, nullableText, object, timestamp, uuid } from '../text.ts'

export const DOCUMENT_KINDS = ['register_extract', 'articles', 'proof_of_address', 'identity', 'other'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

export const DOCUMENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const

/** Papers of one organization at most, and bytes of one. */
export const [DOCUMENTS_MAX, DOCUMENT_BYTES_MAX] = [60, 10_000_000]

/** Body of POST …/onboarding/documents. An `identity` names its person; all others are of the entity. */
export const NewOnboardingDocument = v.pipe(
  object({
    ...newUpload('NewOnboardingFile', DOCUMENT_TYPES, DOCUMENT_BYTES_MAX).entries,
    kind: describe(v.picklist(DOCUMENT_KINDS), 'Kind of the paper.'),
    person_id: describe(maybe(id<'onboarding_person'>()), 'Person of an `identity`.'),
  }),
  v.forward(
    v.partialCheck(
      [['kind'], ['person_id']],
      ({ kind, person_id: person }) => (kind === 'identity') === (person != null),
      'names the person of an identity document, and of no other',
    ),
    ['person_id'],
  ),
  v.title('NewOnboardingDocument'),
)
export type NewOnboardingDocument = v.InferOutput<typeof NewOnboardingDocument>

export const OnboardingDocument = model('OnboardingDocument', {
  id: uuid,
  kind: v.picklist(DOCUMENT_KINDS),
  person_id: describe(v.nullable(uuid), 'Person of an `identity`.'),
  file_name: describe(v.string(), 'Name of the file.'),
  byte_size: integer,
  content_type: v.string(),
  status: describe(
    v.picklist(['awaiting_upload', 'uploaded', 'sealed']),
    '`awaiting_upload` until its file is there; `sealed` once it was submitted, and is kept encrypted.',
  ),
  sha256: describe(nullableText, 'Hash of its bytes; null before they are there.'),
  inserted_at: timestamp,
})
export type OnboardingDocument = v.InferOutput<typeof OnboardingDocument>
