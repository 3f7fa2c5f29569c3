import { expect, test } from 'vitest'
import { activityBulkhead } from '../../activities/bulkhead.ts'
import { FairLanes, bulkhead, inLanes, queue, queueOfMany } from '../../platform/concurrency.ts'

test('a queue runs one at a time, in order, whatever became of those before, and refuses when it is full', async () => {
  const inTurn = queue(2, 5)
  const begun: string[] = []
  let fail: (reason: Error) => void = () => {}
  const failing = new Promise<string>((_, reject) => (fail = reject))
  const one = inTurn(() => (begun.push('first'), failing))
  const two = inTurn(async () => (begun.push('second'), 'done'))
  const full = { type: 'service_unavailable', details: { retry_after_seconds: 5 } }
  await expect(inTurn(async () => begun.push('third'))).rejects.toMatchObject(full)
  expect(begun).toEqual(['first'])
  fail(new Error('too large'))
  await expect(one).rejects.toThrow('too large')
  expect(await two).toBe('done')
  expect(await inTurn(async () => 'again')).toBe('again')
  expect(begun).toEqual(['first', 'second'])
})

test('so many at once and no more, in order', async () => {
  const done: number[] = []
  let [atOnce, most] = [0, 0]
  await inLanes([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++atOnce)
    await Promise.resolve()
    done.push(item)
    atOnce -= 1
  })
  expect([done, most]).toEqual([[1, 2, 3, 4, 5], 2])
})

test('after the first that fails none is begun', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    if (item === 2) throw new Error('refused')
  }
  await expect(inLanes([1, 2, 3, 4], 1, work)).rejects.toThrow('refused')
  await Promise.resolve()
  expect(begun).toEqual([1, 2])
})

test('nobody fills a queue for all others: a caller’s third work is refused', async () => {
  const places = queueOfMany({ max: 3, each: { person: 2 } }, 5)
  const inTurn = <Result>(caller: string, work: () => Promise<Result>) => places({ person: caller }, work)
  let open: (value: string) => void = () => {}
  const first = inTurn('one', () => new Promise<string>((resolve) => (open = resolve)))
  const second = inTurn('one', async () => 'second')
  const overOwn = { type: 'rate_limited', details: { retry_after_seconds: 5 } }
  await expect(inTurn('one', async () => 'third')).rejects.toMatchObject(overOwn)
  const other = inTurn('other', async () => 'other')
  await expect(inTurn('other', async () => 'fourth of all')).rejects.toMatchObject({ type: 'service_unavailable' })
  open('first')
  expect(await Promise.all([first, second, other])).toEqual(['first', 'second', 'other'])
  expect(await inTurn('one', async () => 'third')).toBe('third')
})

test('callers are served in turn, by their first kind: who has many works waits behind them alone', async () => {
  const inTurn = queueOfMany({ max: 20, each: { organization: 6, person: 4 } }, 5)
  const done: string[] = []
  const add = (organization: string, person: string) =>
    inTurn({ organization, person }, async () => void done.push(organization))
  let open: () => void = () => {}
  const gate = inTurn({ organization: 'gate' }, () => new Promise<void>((resolve) => (open = resolve)))
  const flood = [1, 2, 3, 4].map(() => add('flood', 'one'))
  await expect(add('flood', 'one')).rejects.toMatchObject({ type: 'rate_limited' })
  flood.push(add('flood', 'two'), add('flood', 'two'))
  await expect(add('flood', 'three')).rejects.toMatchObject({ type: 'rate_limited' })
  const quiet = [add('quiet', 'four'), add('quiet', 'five')]
  open()
  await Promise.all([gate, ...flood, ...quiet])
  expect(done).toEqual(['flood', 'quiet', 'flood', 'quiet', 'flood', 'flood', 'flood', 'flood'])
})

test('queues share lanes, of which no caller has two: a flood leaves the second to another one', async () => {
  const lanes = new FairLanes(2)
  const places = { max: 20, each: { organization: 6, person: 6 } }
  const [one, two] = [queueOfMany(places, 5, lanes), queueOfMany(places, 5, lanes)]
  const begun: string[] = []
  const endings: (() => void)[] = []
  const lasting = (name: string) => () => (begun.push(name), new Promise<void>((resolve) => endings.push(resolve)))
  const works = [
    one({ organization: 'a', person: 'p' }, lasting('first')),
    two({ organization: 'a', person: 'q' }, lasting('of the same organization')),
    two({ organization: 'b', person: 'p' }, lasting('of the same person')),
    one({ person: 'p' }, lasting('of this person alone')),
    two({ organization: 'c', person: 'r' }, lasting('of another')),
  ]
  const expected = ['first', 'of another', 'of the same organization', 'of the same person', 'of this person alone']
  for (const count of [2, 3, 4, 4, 5]) {
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toEqual(expected.slice(0, count))
    endings.shift()?.()
  }
  await Promise.all(works)
})

test('a work that fails, also at once, fails for its caller alone', async () => {
  const inTurn = queueOfMany({ max: 9, each: { person: 9 } }, 5)
  const works = [
    inTurn({ person: 'one' }, () => Promise.reject(new Error('later'))),
    inTurn({ person: 'one' }, () => {
      throw new Error('at once')
    }),
    inTurn({ person: 'one' }, async () => 'done'),
  ]
  const ended = await Promise.allSettled(works)
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('a bulkhead does work under each key at once up to its limit, and has the place again however the work ended', async () => {
  const inPlace = bulkhead(2, 5)
  const endings: ((how: Promise<string>) => void)[] = []
  const work = () => new Promise<string>((resolve) => endings.push(resolve))
  const [one, two] = [inPlace('a', work), inPlace('a', work)]
  await expect(inPlace('a', work)).rejects.toMatchObject({ type: 'rate_limited', details: { retry_after_seconds: 5 } })
  expect(await inPlace('b', async () => 'another')).toBe('another')
  endings[0]?.(Promise.reject(new Error('failed')))
  await expect(one).rejects.toThrow('failed')
  expect(await inPlace('a', async () => 'again')).toBe('again')
  endings[1]?.(Promise.resolve('done'))
  expect(await two).toBe('done')
})

test('no more are under way than there is room for; who has failed makes room, too', async () => {
  const within = activityBulkhead(2, { guests: 'the slow', againMs: 1000 })
  const ends: (() => void)[] = []
  const lasting = () => within(() => new Promise<string>((resolve) => ends.push(() => resolve('through'))))
  const [first, second] = [lasting(), lasting()]
  await expect(lasting()).rejects.toThrow('the slow have all their places')
  ends[0]?.()
  expect(await first).toBe('through')
  await expect(within(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await within(async () => 'in')).toBe('in')
  ends[1]?.()
  await second
})
