/** Code blocks of our pages: read from the Markdown, and run unchanged in one bash session. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced block: its page, first line and text. */
export type Block = { readonly page: string; readonly line: number; readonly text: string }

/** The result of a block: both outputs, its exit code, and each failed command outside conditions. */
export type Run = {
  readonly block: Block
  readonly code: number | null
  readonly output: string
  readonly errors: string
  readonly failed: readonly string[]
}

export function blocksOf(page: string, language = 'sh'): Block[] {
  const lines = readFileSync(page, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line !== `\`\`\`${language}`) return []
    const end = lines.indexOf('```', index)
    return [{ page, line: index + 1, text: `${lines.slice(index + 1, end).join('\n')}\n` }]
  })
}

/** Runs the blocks in one session; answers also which of their processes lived on, and ends those. */
export async function runBlocks(
  blocks: readonly Block[],
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<{ readonly runs: Run[]; readonly left: string[] }> {
  const fileOf = (index: number, kind: string) => join(folder, `block-${index}.${kind}`)
  const script = blocks.flatMap(({ text }, index) => {
    writeFileSync(fileOf(index, 'sh'), text)
    const [source, output, errors, failed, code] = ['sh', 'out', 'err', 'failed', 'code'].map((kind) =>
      fileOf(index, kind),
    )
    return [
      `: > ${failed}; trap 'echo "$BASH_COMMAND" >> ${failed}' ERR`,
      `source ${source} > ${output} 2> ${errors} < /dev/null; echo $? > ${code}`,
    ]
  })
  const session = spawn('bash', ['-E', '-c', script.join('\n')], { env, stdio: 'ignore', detached: true })
  await once(session, 'exit')
  if (session.pid === undefined) throw new Error('no shell could be started') // 0 would be the group of this process
  const left = commandsOf(session.pid)
  if (left.length > 0) process.kill(-session.pid, 'SIGTERM')
  const textOf = (index: number, kind: string) => readFileSync(fileOf(index, kind), 'utf8')
  const runs = blocks.map((block, index) => ({
    block,
    code: Number(textOf(index, 'code')),
    output: textOf(index, 'out'),
    errors: textOf(index, 'err'),
    failed: textOf(index, 'failed').split('\n').filter(Boolean),
  }))
  return { runs, left }
}

/** Lists the commands of a process group. */
const commandsOf = (group: number): string[] =>
  spawnSync('ps', ['-A', '-o', 'pgid=', '-o', 'stat=', '-o', 'command='], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pgid, state = 'Z']) => Number(pgid) === group && !state.startsWith('Z'))
    .map(([, , ...command]) => command.join(' '))
