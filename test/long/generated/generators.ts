/** Programs of a first payment by generated clients. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, generateClient, mavenRepository, runTool } from '../../../dev/clients/generator.ts'

/** A program that is ready to run: command and first arguments. */
type Program = { readonly command: string; readonly args: readonly string[]; readonly cwd: string }

const program = (name: string, folder: string): void =>
  copyFileSync(join(import.meta.dirname, name), join(folder, name))

const MAKE: Readonly<Record<Exclude<Language, 'python'>, (folder: string) => Promise<Program>>> = {
  go: async (folder) => {
    await generateClient('go', join(folder, 'bfs'))
    program('pay.go', folder)
    await runTool('go', ['mod', 'init', 'payment'], folder)
    await runTool('go', ['mod', 'tidy'], folder)
    await runTool('go', ['build', './...'], folder)
    await runTool('go', ['build', '-o', 'pay', '.'], folder)
    return { command: join(folder, 'pay'), args: [], cwd: folder }
  },
  java: async (folder) => {
    await generateClient('java', folder)
    program('Pay.java', folder)
    const maven = ['-B', '-q', `-Dmaven.repo.local=${mavenRepository()}`]
    await runTool('mvn', [...maven, 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], folder)
    const libraries = readFileSync(join(folder, 'classpath'), 'utf8').trim()
    return { command: 'java', args: ['-cp', `target/classes:${libraries}`, 'Pay.java'], cwd: folder }
  },
}

/** Generates and compiles the client of a language. Returns the program of the first payment by it. */
export async function makeProgram(language: keyof typeof MAKE, folder: string): Promise<Program> {
  mkdirSync(folder, { recursive: true })
  return MAKE[language](folder)
}

export const runProgram = ({ command, args, cwd }: Program, more: readonly string[]): Promise<string> =>
  runTool(command, [...args, ...more], cwd)
