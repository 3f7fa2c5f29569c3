/** Codes of an authenticator that works for a program: each is used once, and the next one is waited for. */
import { setTimeout as delay } from 'node:timers/promises'
import { generate } from 'otplib'

const STEP_SECONDS = 30 // of an authenticator code (RFC 6238)

export type Send<Answer> = (code: string) => Promise<Answer>
/** Sends a code and answers what came of it; sends the next one if it was refused. */
export type WithCode = <Answer extends { readonly status: string }>(send: Send<Answer>) => Promise<Answer>

/** Codes of a secret. A code works once; the steps before and after count too, so three fit in a row. */
export function codesOf(secret: string, wait: (seconds: number) => void = () => {}): WithCode {
  let lastStep = 0
  return async (send) => {
    for (;;) {
      const now = Math.floor(Date.now() / 1000 / STEP_SECONDS)
      const step = Math.max(lastStep + 1, now - 1)
      if (step > now + 1) {
        const seconds = (step - 1) * STEP_SECONDS - Math.floor(Date.now() / 1000)
        wait(seconds)
        await delay(seconds * 1000)
        continue
      }
      lastStep = step
      const answer = await send(await generate({ secret, epoch: step * STEP_SECONDS }))
      if (answer.status !== 'mfa_failed' && answer.status !== 'failed') return answer
    }
  }
}

/** Reads the code of now, and for how many seconds it is good: the service takes it a step longer. */
export async function currentCode(secret: string): Promise<{ code: string; seconds: number }> {
  const second = Math.floor(Date.now() / 1000)
  return { code: await generate({ secret, epoch: second }), seconds: 2 * STEP_SECONDS - (second % STEP_SECONDS) }
}
