/** Sign-in of the command: login, logout, status, and the organization in use. */
import { type Client, type Delegate, type Organization, ServiceError, createClient } from 'business-finance-client'
import type { Command } from 'commander'
import { changeConfig, forgetOrganization } from '../config.ts'
import type { Context } from '../context.ts'
import { EXIT, Failure } from '../failures.ts'
import { readLines } from '../io.ts'
import { askForConsent, signInBySecret } from '../sign-in/oauth.ts'
import { runAlone } from '../sign-in/renewal.ts'
import type { Act } from '../run.ts'
import { type Credential, chooseStore, findCredential, removeCredential } from '../sign-in/secrets.ts'
import { formatValue } from '../table.ts'

type LoginOptions = { readonly secret?: boolean; readonly insecureStorage?: boolean }

export function addAccountCommands(program: Command, act: Act): void {
  program
    .command('login')
    .description('sign in as a delegate: by a page in the browser, or by the secret of one that exists')
    .option('--secret', 'read the secret from the input, or ask for it')
    .option('--insecure-storage', 'keep the secret as plain text in a file')
    .action(act(login))
  program.command('logout').description('forget the secret, and end the session').action(act(logout))
  program
    .command('status')
    .description('show who is signed in, where, for which organization, with what access, and until when')
    .action(act(showStatus))
  program
    .command('use')
    .argument('<organization>', 'id, service ID or name')
    .description('choose the organization for the commands that follow')
    .action(act(useOrganization))
}

/** Signs in: keeps the secret of a delegate once the service has accepted it. */
async function login(context: Context, options: LoginOptions): Promise<void> {
  const { io, baseUrl, output } = context
  const store = await chooseStore(io, baseUrl, options.insecureStorage === true) // before a secret exists
  const { credential, organizationId } = options.secret
    ? await signInBySecret(baseUrl, await readSecret(context))
    : await askForConsent(io, baseUrl)
  await runAlone(io, () => store.write(credential))
  await changeConfig(io, { base_url: baseUrl })
  const where = store.kind === 'file' ? 'as plain text in a file' : 'in the keyring'
  output.say(`Signed in to ${baseUrl}. The secret is kept ${where}.`)
  await chooseAgain({ ...context, client: withToken(baseUrl, credential) }, organizationId)
}

/** Chooses the organization of the delegate. A service that does not name it leaves the one that was chosen before. */
async function chooseAgain(context: Context, named: string | undefined): Promise<void> {
  const wanted = named ?? context.chosen
  try {
    if (wanted) return await useOrganization(context, wanted)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await forgetOrganization(context.io)
  }
  context.output.say('Choose the organization of the delegate: bfs use <id>')
}

const withToken = (baseUrl: string, { token }: Credential): Client => createClient({ baseUrl, token })

/** Reads a secret from the input or a hidden question; never from arguments, which others can see. */
async function readSecret({ io }: Context): Promise<string> {
  let secret = ''
  if (io.stdin.isTTY) secret = await io.askSecret('Secret of the delegate')
  else
    for await (const line of readLines(io)) {
      secret = line
      break
    }
  if (secret.trim() === '') throw new Failure(EXIT.usage, 'No secret was given.')
  return secret.trim()
}

/** Forgets the secret; the delegate itself is ended by its person. */
async function logout({ io, baseUrl, output }: Context): Promise<void> {
  const { token } = (await findCredential(io, baseUrl))?.credential ?? {}
  if (token)
    await createClient({ baseUrl, token, retries: 0 })
      .signOut()
      .catch(() => {}) // it ends by itself
  await runAlone(io, () => removeCredential(io, baseUrl))
  await forgetOrganization(io)
  output.say(`Signed out of ${baseUrl}. A delegate is ended by its person: bfs delegates end <id>`)
}

async function showStatus(context: Context): Promise<void> {
  const { baseUrl, client, output, chosen } = context
  await context.token()
  const { delegate } = await findDelegate(client)
  const organization_id = chosen ?? delegate?.organization_id ?? null
  const found = organization_id ? await client.getOrganization({ organization_id }) : undefined
  const status = {
    base_url: baseUrl,
    credential: await nameCredential(context),
    organization_id,
    organization: found?.name ?? null,
    role: found?.role ?? null,
    delegate: delegate?.name ?? null,
    access: delegate?.access ?? null,
    ends_at: delegate?.expires_at ?? null,
  }
  output.answer(JSON.stringify(status), status)
}

/** Finds the delegate of the sign-in; none for the session of a person, and at a service that does not tell. */
async function findDelegate(client: Client): Promise<{ delegate?: Delegate }> {
  try {
    return { delegate: await client.getOwnDelegate() }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return {}
    throw error
  }
}

async function nameCredential({ io, baseUrl }: Context): Promise<string> {
  if (io.env['BFS_TOKEN']) return 'BFS_TOKEN'
  if (io.env['BFS_SECRET']) return 'BFS_SECRET'
  return (await findCredential(io, baseUrl))?.store.kind ?? 'none'
}

const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

async function useOrganization({ io, client, output }: Context, wanted: string): Promise<void> {
  const found: Organization[] = []
  if (isId(wanted)) found.push(await client.getOrganization({ organization_id: wanted })) // all that a delegate may ask
  else
    for await (const one of client.listOrganizations())
      if ([one.id, one.svc_id, one.name].includes(wanted)) found.push(one)
  const [only, another] = found
  if (!only) throw new Failure(EXIT.refused, `You are in no organization called ${formatValue(wanted)}.`)
  if (another) throw new Failure(EXIT.usage, 'Several have this name; give the id.')
  await changeConfig(io, { organization_id: only.id })
  output.say(`Commands are for ${only.name} (${only.id}).`)
}
