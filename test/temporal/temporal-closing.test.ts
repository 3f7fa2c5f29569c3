/** A connection that is closed while a call of it waits to be repeated. */
import { expect, test, vi } from 'vitest'

vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1')
const { connection, isAway, pingTemporal } = await import('../../temporal/client.ts')

const TRANSIENT_FAILURE = 3 // of gRPC's states of a connection

test('the call fails as one at a Temporal that is away, and nothing is thrown in the background', async () => {
  const called = pingTemporal().catch((error: unknown) => error)
  // what is under way at once fails when it cannot connect, and waits for its repeat from then on
  await vi.waitFor(() => expect(stateOf(connection)).toBe(TRANSIENT_FAILURE))
  await connection.close()
  expect(isAway(await called)).toBe(true)
})

/** How the connection stands; the client keeps it to itself. */
const stateOf = (from: unknown): number =>
  (from as { client: { getChannel: () => { getConnectivityState: (connect: boolean) => number } } }).client
    .getChannel()
    .getConnectivityState(false)
