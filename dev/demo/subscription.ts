/** Demo of a subscription: a plan, a dearer one for the rest of the month, a cheaper one later. */
import { call, callConfirmed, organization, sayRun, say } from './caller.ts'

/** Answers the active subscription. A repeated demo selects from the earlier plan. */
export async function subscription(): Promise<{ status: string }> {
  const { data } = await call('GET', `${organization}/subscription/offers?active=true`)
  say('A subscription', data.map((one: any) => `${one.display_name} ${one.amount} ${one.currency}`).join(', '))
  const [cheap, dear] = data
  await callConfirmed('POST', `${organization}/subscription/select-plan`, { offer_id: cheap.id })
  let latest: any
  for (const offer of [dear, cheap]) {
    const answer = await call('POST', `${organization}/subscription/select-plan`, { offer_id: offer.id })
    say(`  ${offer.display_name} is selected:`, `${answer.operation}, from ${answer.effective_date} on`)
    latest = answer.subscription
  }
  await call('DELETE', `${organization}/subscription/scheduled-change`)
  say(
    '  the change is dropped again; the plan is',
    `${latest.offer.display_name}, paid until ${latest.commitment_ends_at}`,
  )
  sayRun('  its workflow waits for the next month here', `subscription-${latest.id}`)
  return latest
}
