/** Demo of an onboarding: the organization says who it is, its partners verify it, and payments name it so. */
import type { Onboarding } from '../../clients/typescript/src/index.ts'
import { client, confirming, follow, organization_id, say } from './caller.ts'

const ADDRESS = { line1: 'Domstraße 5', postal_code: '50668', city: 'Köln', country_code: 'DE' }
const ENTITY = {
  legal_name: 'Demo Organization GmbH',
  form: 'company',
  registration: { number: 'HRB 12345', country: 'DE', register: 'Amtsgericht Köln' },
  tax_id: 'DE136695976',
  incorporated_on: '2015-04-01',
  address: ADDRESS,
  activity: { scheme: 'nace', code: '62.01', description: 'Software for bakeries' },
  expected: {
    monthly_volume: { amount: '100000.00', currency: 'USD' },
    currencies: ['USD', 'EUR'],
    countries: ['DE', 'US'],
  },
} as const
const OWNER = {
  roles: ['director', 'beneficial_owner'],
  name: 'Olivia Owner',
  born_on: '1980-05-17',
  nationality: 'DE',
  address: ADDRESS,
  share: '100.00',
} as const

/** Submits what is asked for, once, and follows the review to its verdict. */
export async function onboarding(): Promise<Onboarding> {
  const before = await client.getOnboarding({ organization_id })
  if (before.status === 'draft') await submit()
  const reviewed = await follow(
    () => client.getOnboarding({ organization_id }),
    ({ status }) => status !== 'submitted' && status !== 'in_review',
  )
  say('  the organization is', `${reviewed.status}, as ${ENTITY.legal_name}; its payments name it so`)
  return reviewed
}

async function submit(): Promise<void> {
  await client.putLegalEntity({ organization_id, ...ENTITY })
  const { id: person_id } = await client.addOnboardingPerson({ organization_id, ...OWNER })
  const paper = new Blob(['%PDF-1.4\n'], { type: 'application/pdf' })
  const about = { byte_size: paper.size, content_type: 'application/pdf' } as const
  for (const { kind, ...of } of [
    { kind: 'register_extract' },
    { kind: 'articles' },
    { kind: 'identity', person_id },
  ] as const) {
    const slot = { organization_id, kind, ...of, filename: `${kind}.pdf`, ...about }
    await client.upload('addOnboardingDocument', slot, paper)
  }
  await confirming.submitOnboarding({ organization_id })
  say('Who it is:', `${ENTITY.legal_name}, its owner and three papers, are submitted`)
}
