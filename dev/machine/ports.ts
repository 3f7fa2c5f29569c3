import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { CannotStart } from '../terminal.ts'

/** Range below the ephemeral ports, which outgoing connections could take meanwhile. */
const FREE = { from: 20_000, to: 32_000 }

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FREE.from, FREE.to)
    if (!(await listenFault(port, '127.0.0.1')) && !(await listenFault(port))) return port
  }
}

/** Waits until the port of a killed process is free: its sockets may outlive it. */
export async function untilFree(port: number): Promise<void> {
  while (await listenFault(port, '127.0.0.1')) await delay(5)
}

/** Refuses ports that are taken, forbidden or wanted twice, by the name of their variable. */
export async function refuseTakenPorts(wanted: Record<string, number>): Promise<void> {
  const faults: string[] = []
  const names = new Map<number, string>()
  for (const [variable, port] of Object.entries(wanted)) {
    const twin = names.get(port)
    names.set(port, variable)
    if (twin) faults.push(`${twin} and ${variable} are both ${port}: change one of them.`)
    const fault = twin ? undefined : ((await listenFault(port, '127.0.0.1')) ?? (await listenFault(port)))
    if (fault === 'EACCES')
      faults.push(`Port ${port} needs more rights than this user has: set ${variable} above 1023.`)
    else if (fault)
      faults.push(
        `Port ${port} is already taken: set ${variable} to a free one, as in ${variable}=${port + 10} npm start.`,
      )
  }
  if (faults.length) throw new CannotStart(faults.join('\n'))
}

async function listenFault(port: number, host?: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ port, ...(host && { host }) }, () => server.close(() => resolve(undefined)))
  })
}
