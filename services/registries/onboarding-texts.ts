/** Onboardings as operators read them on a terminal: also what names people, so it goes to no log. */
import type { OrganizationId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type PostalAddress, addressLine } from '../../domain/party.ts'
import { onOneLine, quoteName } from '../../domain/text.ts'
import { type ListedOnboarding, type ShownOnboarding, listOnboardings, showOnboarding } from '../onboarding/listing.ts'
import type { ProposedVerdict } from '../onboarding/verdicts.ts'
import { joinLines } from './operator-texts.ts'

const LISTED_MAX = 1000

const sayAddress = (address: PostalAddress | null): string => (address ? onOneLine(addressLine(address)) : '-')

/** Lists onboardings that wait for operators. */
export async function describeOnboardings(filter = ''): Promise<string> {
  const lines = (await listOnboardings(LISTED_MAX)).map(describeListed)
  return joinLines(lines, 'no organization waits for a verdict', filter)
}

function describeListed({
  organization_id: id,
  name,
  round,
  since,
  verdict,
  verdict_id: proposed,
}: ListedOnboarding): string {
  const said = proposed ? `: ${verdict} is proposed, confirm or withdraw ${proposed}` : ''
  return `${minuteOf(since)} ${id} ${quoteName(name)}, submission ${round}${said}`
}

/** Describes what an organization has submitted, line by line. */
export async function describeOnboarding(organizationId: OrganizationId): Promise<string> {
  const shown = await showOnboarding(organizationId)
  return [`onboarding of ${organizationId} is ${shown.status}, submission ${shown.round}`, ...linesOf(shown)].join('\n')
}

function linesOf({ submission, documents, reviews }: ShownOnboarding): string[] {
  if (!submission) return ['nothing is submitted yet']
  const { entity, people } = submission
  const { registration, activity, expected } = entity
  return [
    `legal name: ${quoteName(entity.legal_name)} (${entity.form})`,
    ...(entity.trading_name ? [`trading name: ${quoteName(entity.trading_name)}`] : []),
    ...(registration
      ? [`register: ${registration.number}, ${registration.register ?? '-'}, ${registration.country}`]
      : []),
    `tax id: ${entity.tax_id ?? '-'}; founded: ${entity.incorporated_on ?? '-'}; website: ${entity.website ?? '-'}`,
    `address: ${sayAddress(entity.address)}`,
    ...(activity ? [`activity: ${activity.scheme} ${activity.code}, ${quoteName(activity.description)}`] : []),
    ...(expected
      ? [
          `expects ${expected.monthly_volume.amount} ${expected.monthly_volume.currency} a month, in ${expected.currencies.join(', ')}, with ${expected.countries.join(', ')}`,
        ]
      : []),
    ...people.map(
      (one) =>
        `person ${one.id}: ${quoteName(one.name ?? '-')}, ${one.roles.join(', ')}, born ${one.born_on ?? '-'}, ${one.nationality ?? '-'}, ${sayAddress(one.address)}${one.identity_number ? `, number ${onOneLine(one.identity_number)}` : ''}${one.share ? `, ${one.share} %` : ''}`,
    ),
    ...documents.map(
      ({ id, kind, person_id: person, file_name: name, sha256 }) =>
        `paper ${id}: ${kind}${person ? ` of ${person}` : ''}, ${quoteName(name)}, sha256 ${sha256 ?? '-'}`,
    ),
    ...reviews.map(
      ({ reviewer, status, asks }) =>
        `review by ${reviewer}: ${status}${asks.map(({ field, reason }) => `; asks for ${field}: ${quoteName(reason)}`).join('')}`,
    ),
  ]
}

/** Describes a verdict for its second operator. */
export const describeVerdict = (became: string, one: ProposedVerdict): string =>
  `${minuteOf(one.inserted_at)} verdict ${one.id} ${became}: ${one.verdict} on submission ${one.round} of ${one.organization_id}, ` +
  `${quoteName(one.reason)}${one.asks.map(({ field }) => `, ${field}`).join('')}, proposed by ${one.proposer}`
