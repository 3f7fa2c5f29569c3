/** Days of an organization: where they begin, over changes of clocks and of the time zone. */
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'

const path = (id: string) => `/organizations/${id}/settings`
const change = ({ token }: TestPerson, id: string, time_zone: string) =>
  withStepUp('PATCH', path(id), { token, body: { time_zone } })

/** An organization in this time zone, and its owner. */
async function located(zone: string) {
  const boss = await person()
  const { id } = await organization(boss, 'Somewhere')
  await change(boss, id, zone)
  // as long ago as if it had never been another one
  await owner`update organizations set time_zone_from = null where id = ${id}`
  return { boss, id }
}

const midnight = async (id: string, day: string) => {
  const [row] = await owner<{ at: Date }[]>`select local_midnight(${id}, ${day}) as at`
  return row?.at.toISOString()
}
const dayAt = async (id: string, at: string) => {
  const [row] = await owner<{ day: string }[]>`select local_date(${id}, ${at})::text as day`
  return row?.day
}

describe('a day begins', () => {
  test.each([
    ['in summer', 'Europe/Berlin', '2026-07-15', '2026-07-14T22:00:00.000Z'],
    ['with the next one where it was left out, on Samoa', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['on a leap day', 'Asia/Kathmandu', '2028-02-29', '2028-02-28T18:15:00.000Z'],
  ])('%s', async (_, zone, day, at) => {
    const { id } = await located(zone)
    expect(await midnight(id, day)).toBe(at)
    expect((await dayAt(id, at))! >= day).toBe(true)
    expect((await dayAt(id, new Date(Date.parse(at) - 1).toISOString()))! < day).toBe(true)
  })

  test('at its first instant, in every time zone, on every day of a year', async () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const wrong = await owner`
      select z.name, d.day::date from pg_timezone_names z,
        generate_series('2026-01-01'::timestamp, '2026-12-31', '1 day') d (day),
        zone_midnight(z.name, d.day::date) m (at)
      where z.name = any (${zones}) and ((m.at at time zone z.name)::date <> d.day::date
        or ((m.at - interval '1 microsecond') at time zone z.name)::date <> d.day::date - 1)`
    expect([...wrong]).toEqual([])
  })
})

describe('another time zone', () => {
  test('counts from the next midnight of the one before, from which the owner may change it again', async () => {
    const { boss, id } = await located('Europe/Berlin')
    const { body: first } = await change(boss, id, 'Pacific/Auckland')
    const { body: second } = await change(boss, id, 'Pacific/Honolulu')
    expect(first).toMatchObject({ time_zone: 'Pacific/Auckland' })
    expect(second).toMatchObject({ time_zone: 'Pacific/Honolulu', time_zone_from: first.time_zone_from })
    const from = new Date(first.time_zone_from)
    const inBerlin = new Intl.DateTimeFormat('sv', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    expect(inBerlin.format(from)).toMatch(/ 00:00:00$/)
    expect(from.getTime()).toBeGreaterThan(Date.now())
    expect((await api('GET', path(id), { token: boss.token })).body).toEqual(second)
  })

  test('changed twice takes nothing out of the sums of a period', async () => {
    const { boss, id } = await located('UTC')
    const beginOf = async (period: string) => {
      const [row] = await owner<{ begins_at: Date }[]>`
        select begins_at from limit_periods(${id}, business_now()) where period = ${period}`
      return row?.begins_at.getTime() ?? 0
    }
    const periods = ['day', 'week', 'month']
    const before = await Promise.all(periods.map(beginOf))
    await change(boss, id, 'Etc/GMT+12')
    expect(await Promise.all(periods.map(beginOf))).toEqual(before)
    await change(boss, id, 'Etc/UTC')
    await owner`update organizations set former_time_zone = 'Etc/GMT+12', time_zone_from = business_now() - interval '1 s'
      where id = ${id}`
    const after = await Promise.all(periods.map(beginOf))
    expect(after.filter((at, index) => at > (before[index] ?? 0))).toEqual([])
  })

  test.each([
    ['to the west: the last day goes on', 'Pacific/Auckland', 'Pacific/Honolulu'],
    ['to the east: the next day is short', 'Pacific/Honolulu', 'Pacific/Auckland'],
    ['over the date line to the west', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'],
    ['over the date line to the east', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'],
    ['by an hour', 'UTC', 'Europe/Berlin'],
  ])('never leads back to a day before, and each day begins where the last one ends: %s', async (_, before, after) => {
    const { id } = await located(before)
    await owner`
      update organizations set former_time_zone = ${before}, time_zone = ${after},
        time_zone_from = zone_midnight(${before}, '2026-05-10') where id = ${id}`
    const hours = await owner<{ day: string; begun: boolean }[]>`
      select local_date(${id}, at)::text as day,
        local_midnight(${id}, local_date(${id}, at)) <= at
          and local_midnight(${id}, local_date(${id}, at) + 1) > at as begun
      from generate_series('2026-05-07T00:00Z'::timestamptz, '2026-05-14T00:00Z', '15 minutes') at order by at`
    const days = hours.map(({ day }) => day)
    expect(days).toEqual(days.toSorted())
    expect(hours.filter(({ begun }) => !begun)).toEqual([])
  })
})
