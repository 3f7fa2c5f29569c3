/** Mailbox of the stand-in: what people of the walk get by mail. */
import { ready } from '../demo/caller.ts'
import { CannotStart } from '../terminal.ts'

type Mail = { readonly subject: string | null; readonly url: string | null; readonly code: string | null }

/** Reads the newest mail to this address whose subject has such words. */
export async function mailTo(to: string, subject: RegExp): Promise<Mail> {
  const query = new URLSearchParams({ to, limit: '20' })
  const response = await fetch(`${ready.api_url}/api/v1/sandbox/messages?${query.toString()}`)
  const { data } = (await response.json()) as { data: readonly Mail[] } // as the document says
  const found = data.find((mail) => subject.test(mail.subject ?? ''))
  if (!found)
    throw new CannotStart(
      `No mail about ${subject.source} came to ${to}: ${data.map((mail) => mail.subject).join('; ')}`,
    )
  return found
}
