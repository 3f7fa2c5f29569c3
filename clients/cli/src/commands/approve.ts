/** Approval: its page, where a person decides. No command approves. */
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Act } from '../run.ts'

export function addApprove(program: Command, act: Act): void {
  program
    .command('approve')
    .description('open the page of an approval; the decision is made there')
    .argument('<approval>', 'id of the approval request')
    .action(
      act(async ({ io, baseUrl, output }: Context, id: string) => {
        if (!/^[\da-f-]{36}$/i.test(id)) throw new Failure(EXIT.usage, 'Give the id of an approval request.')
        const page = pageOf(baseUrl, id)
        output.line(page)
        if (io.stdout.isTTY) io.openPage(page)
      }),
    )
}

const pageOf = (baseUrl: string, id: string): string => `${baseUrl}/approve/${encodeURIComponent(id)}`

/** Says where a person has to approve; answers the exit code of that. */
export function sayApproval({ baseUrl, output }: Context, id: string): number {
  output.say(`It waits for a person: ${pageOf(baseUrl, id)}`)
  return EXIT.waitsForPerson
}
