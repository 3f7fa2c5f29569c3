import { expect, test } from 'vitest'
import { room } from '../../activities/room.ts'

test('no more are under way than there is room for; who has failed makes room, too', async () => {
  const within = room(2)
  const ends: (() => void)[] = []
  const lasting = () => within(() => new Promise<string>((resolve) => ends.push(() => resolve('through'))))
  const [first, second] = [lasting(), lasting()]
  expect(await lasting()).toBe(undefined)
  ends[0]?.()
  expect(await first).toEqual({ done: 'through' })
  await expect(within(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await within(async () => 'in')).toEqual({ done: 'in' })
  ends[1]?.()
  await second
})
