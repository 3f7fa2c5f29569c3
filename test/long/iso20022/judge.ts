/** Reader of ISO 20022 that is not ours: Prowide's `pw-iso20022`, fetched once by Maven. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cacheFolder } from '../../../dev/machine/cache.ts'

/** Jars that read, pinned; those below them are pinned by their versions. */
const JARS: Readonly<Record<string, string>> = {
  'pw-iso20022-SRU2024-10.2.8.jar': 'ababfb941d3766481073a38fe034876372b5530e442df99d556fbe051735b5b1',
  'pw-swift-core-SRU2024-10.2.13.jar': 'b3885c4ba8b18d0e06da62f6a147156bde7c3a0d48aaee5b0d0df56b951e7e37',
}

/** Message as it was read, or the fault that stopped its reader. */
export type Judgement = {
  readonly fault?: string
  readonly name?: string
  /** Texts that its model wrote again: as many as the file has, unless it has lost some. */
  readonly texts?: number
  readonly messageId?: string
  readonly count?: string
  readonly sum?: string
  readonly debtor?: string
  readonly day?: string
  readonly transfers?: readonly {
    readonly id: string
    readonly amount: string
    readonly currency: string
    readonly name: string
    readonly account: string
    readonly reference: string
  }[]
}

/** Fetches the jars into the cache of the project unless they are there. Throws if they are others. */
function fetchJars(): string {
  const folder = join(cacheFolder(), 'iso20022')
  const isThere = () => Object.keys(JARS).every((jar) => existsSync(join(folder, jar)))
  if (!isThere()) {
    const repository = `-Dmaven.repo.local=${join(cacheFolder(), 'validators')}`
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`]
    execFileSync('mvn', ['-B', '-q', '-f', join(import.meta.dirname, 'pom.xml'), repository, ...goal], {
      stdio: 'inherit',
    })
  }
  for (const [jar, pin] of Object.entries(JARS)) {
    const found = createHash('sha256')
      .update(readFileSync(join(folder, jar)))
      .digest('hex')
    if (found !== pin) throw new Error(`${jar} is not the pinned one: its SHA-256 is ${found}`)
  }
  return folder
}

/** One process for all messages: it takes seconds to start. */
export class Judge {
  private readonly java: ChildProcess
  private readonly answers: AsyncIterator<string>

  constructor() {
    const classes = join(fetchJars(), '*')
    const source = join(import.meta.dirname, 'Judge.java')
    this.java = spawn('java', ['-Xmx1g', '-cp', classes, source], { stdio: ['pipe', 'pipe', 'ignore'] })
    if (!this.java.stdout) throw new Error('its output is a pipe')
    this.answers = createInterface({ input: this.java.stdout })[Symbol.asyncIterator]()
  }

  /** Reads a file. */
  async read(file: string): Promise<Judgement> {
    this.java.stdin?.write(`${file}\n`)
    const answer = await this.answers.next()
    if (answer.done) throw new Error('the judge has ended')
    return JSON.parse(answer.value) as Judgement // written by Judge.java
  }

  end(): void {
    this.java.stdin?.end()
  }
}
