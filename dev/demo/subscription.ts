/** Demo of a subscription: a plan, a dearer one for the rest of the month, a cheaper one later. */
import type { SubscriptionOffer, SubscriptionResult } from '../../clients/typescript/src/index.ts'
import { client, confirming, newKey, organization_id, sayRun, say } from './caller.ts'

/** Answers the active subscription. A repeated demo selects from the earlier plan. */
export async function subscription(): Promise<SubscriptionResult['subscription']> {
  const { data } = await client.listSubscriptionOffers({ organization_id, active: true })
  say('A subscription', data.map((one) => `${one.display_name} ${one.amount} ${one.currency}`).join(', '))
  const [cheap, dear] = data as [SubscriptionOffer, SubscriptionOffer]
  await confirming.selectSubscriptionPlan({ organization_id, offer_id: cheap.id }, newKey())
  await select(dear)
  const latest = await select(cheap)
  await client.cancelScheduledSubscriptionChange({ organization_id })
  say(
    '  the change is dropped again; the plan is',
    `${latest.offer.display_name}, paid until ${latest.commitment_ends_at}`,
  )
  sayRun('  its workflow waits for the next month here', `subscription-${latest.id}`)
  return latest
}

async function select(offer: SubscriptionOffer) {
  const answer = await client.selectSubscriptionPlan({ organization_id, offer_id: offer.id }, newKey())
  say(`  ${offer.display_name} is selected:`, `${answer.operation}, from ${answer.effective_date} on`)
  return answer.subscription
}
