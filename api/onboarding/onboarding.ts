/** Onboarding of an organization: who it is, its people and papers, and how far its verification is. */
import * as v from 'valibot'
import { NewOnboardingDocument } from '../../domain/onboarding/document.ts'
import { NewLegalEntity } from '../../domain/onboarding/entity.ts'
import { KybStatus, Onboarding } from '../../domain/onboarding/onboarding.ts'
import { NewOnboardingPerson, OnboardingPerson, OnboardingPersonChanges } from '../../domain/onboarding/person.ts'
import { FileParams, UploadSlot } from '../../domain/files/file.ts'
import { id } from '../../domain/ids.ts'
import { addPerson, changePerson, putEntity, removePerson } from '../../services/onboarding/commands.ts'
import { addDocument, removeDocument } from '../../services/onboarding/documents.ts'
import { findKybStatus, findOnboarding, findPerson } from '../../services/onboarding/onboarding.ts'
import { receivePapers, submit } from '../../services/onboarding/submission.ts'
import { slotOf } from '../../services/files/files.ts'
import { uploadSlots } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Onboarding')

const OnePerson = v.object({ person_id: id<'onboarding_person'>() })

/** Permissions to change all of it, or the part about oneself. */
const OWN_OR_ALL = ['organization.update', 'onboarding.view_own_requirements'] as const

export const onboarding = [
  query('/organizations/{organization_id}/onboarding', 'getOnboarding')
    .says(
      'Read the onboarding of an organization',
      'Without `onboarding.view_requirements` it is the part about yourself: you as an owner or director, and your papers.',
    )
    .of('organization')
    .can(['onboarding.view_requirements', 'onboarding.view_own_requirements'])
    .answers(Onboarding)
    .does(({ read, person, org }) => findOnboarding(read, { ...org, userId: person.userId })),
  command('put', '/organizations/{organization_id}/onboarding/entity', 'putLegalEntity')
    .says(
      'Say what legal entity the organization is',
      'Replaces the whole. Another name, form, register or address of a verified one asks for a review: payments go on until its `due_at`.',
    )
    .of('organization')
    .can('organization.update')
    .takes(NewLegalEntity)
    .refuses('invalid_state', 'amount_precision', 'amount_too_large')
    .answers(Onboarding)
    .does(async ({ tx, read, person, org, body }) => {
      await putEntity(tx, body)
      return findOnboarding(read, { ...org, userId: person.userId })
    }),
  command('post', '/organizations/{organization_id}/onboarding/people', 'addOnboardingPerson')
    .says(
      'Name an owner, a director, or who controls the entity',
      'A member named by `user_id` fills in their own part.',
    )
    .of('organization')
    .can('organization.update')
    .takes(NewOnboardingPerson)
    .refuses('invalid_state')
    .creates(OnboardingPerson, ({ read, claim }) => findPerson(read, claim.id))
    .does(({ tx, claim, body }) => addPerson(tx, claim.id, body)),
  command('patch', '/organizations/{organization_id}/onboarding/people/{person_id}', 'updateOnboardingPerson')
    .says('Change a person of the entity', 'What is absent stays, null clears. A person changes their own facts alone.')
    .of('organization')
    .can(OWN_OR_ALL)
    .named(OnePerson)
    .takes(OnboardingPersonChanges)
    .refuses('invalid_state')
    .answers(OnboardingPerson)
    .does(async ({ tx, read, person, params, body }) => {
      await changePerson(tx, person, params.person_id, body)
      return findPerson(read, params.person_id)
    }),
  command('delete', '/organizations/{organization_id}/onboarding/people/{person_id}', 'removeOnboardingPerson')
    .says('Remove a person of the entity, with their papers')
    .of('organization')
    .can('organization.update')
    .named(OnePerson)
    .refuses('invalid_state')
    .deletes()
    .does(({ tx, params }) => removePerson(tx, params.person_id)),
  command('post', '/organizations/{organization_id}/onboarding/documents', 'addOnboardingDocument')
    .says(
      'Request an upload address for a paper',
      'PUT the file there. An `identity` names its person; a person adds their own. Papers are encrypted once they are submitted.',
    )
    .of('organization')
    .can(OWN_OR_ALL)
    .takes(NewOnboardingDocument)
    .limited(uploadSlots)
    .refuses('invalid_state')
    .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
    .does(({ tx, person, claim, body }) => addDocument(tx, person, claim.id, body)),
  command('delete', '/organizations/{organization_id}/onboarding/documents/{file_id}', 'removeOnboardingDocument')
    .says('Remove a paper')
    .of('organization')
    .can(OWN_OR_ALL)
    .named(FileParams)
    .refuses('invalid_state')
    .deletes()
    .does(({ tx, person, params }) => removeDocument(tx, person, params.file_id)),
  command('post', '/organizations/{organization_id}/onboarding/submit', 'submitOnboarding')
    .says(
      'Submit the organization to be verified',
      'Nothing can be changed while it is reviewed. Refused with the fields that are open while something is missing.',
    )
    .of('organization')
    .can('organization.update')
    .takes(v.object({}))
    .refuses('invalid_state', 'onboarding_incomplete', 'invalid_file', 'file_not_uploaded', 'upload_size_mismatch')
    .answers(Onboarding)
    .proved('window')
    .prepares(async ({ org }) => {
      await receivePapers(org.organizationId)
      return {}
    })
    .does(async ({ tx, read, person, org }) => {
      await submit(tx, person)
      return findOnboarding(read, { ...org, userId: person.userId })
    }),
  query('/organizations/{organization_id}/kyb-status', 'getKybStatus')
    .says('Read how far the verification of the organization is')
    .of('organization')
    .delegates('read')
    .can('organization.view_kyb_status')
    .answers(KybStatus)
    .does(({ read }) => findKybStatus(read)),
]
