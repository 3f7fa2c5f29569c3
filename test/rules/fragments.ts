/** Fragments of SQL, and the aliases of tables that each names without getting them. */
import { readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import {
  type Expression,
  type Node,
  type Statement,
  type TaggedTemplateExpression,
  isArrowFunction,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isStringLiteral,
  isTaggedTemplateExpression,
  isVariableStatement,
} from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

export type FragmentSource = { readonly file: string; readonly name: string; readonly free: readonly string[] }

/** Folders whose files have SQL. */
export const WITH_SQL = /^(?:db|services|sandbox)\//

/** Reads the fragments of a project's files: functions and constants of SQL that a statement includes. */
export function readFragments(root: string, files: RegExp): FragmentSource[] {
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}/tsconfig.build.json`] }).getProjects()[0]
    if (!project) throw new Error('no project')
    return project.rootFiles
      .map((path) => relative(root, path))
      .filter((file) => files.test(file) && readFileSync(`${root}/${file}`, 'utf8').includes('sql`'))
      .flatMap((file) => {
        const statements = project.program.getSourceFile(`${root}/${file}`)?.statements ?? []
        return [...statements].flatMap(fragmentsOf).map((one) => ({ file, ...one }))
      })
  } finally {
    api.close()
  }
}

function fragmentsOf(statement: Statement): { name: string; free: string[] }[] {
  if (isFunctionDeclaration(statement)) {
    const { name, type, body } = statement
    return name && body && isFragment(type) ? [{ name: name.text, free: freeAliases(body) }] : []
  }
  if (!isVariableStatement(statement)) return []
  return [...statement.declarationList.declarations].flatMap(({ name, initializer }) => {
    if (!initializer || !isIdentifier(name)) return []
    const [body, type] = isArrowFunction(initializer) ? [initializer.body, initializer.type] : [initializer, undefined]
    const isWritten = isFragment(type) || (!isBlock(body) && isTemplate(body))
    return isWritten ? [{ name: name.text, free: freeAliases(body) }] : []
  })
}

const isFragment = (type: Node | undefined): boolean => type?.getText() === 'Fragment'

const isTemplate = (node: Expression): boolean =>
  isParenthesizedExpression(node)
    ? isTemplate(node.expression)
    : isConditionalExpression(node)
      ? isTemplate(node.whenTrue)
      : isTaggedTemplateExpression(node) && isTag(node)

const isTag = ({ tag }: TaggedTemplateExpression): boolean =>
  isIdentifier(tag) && (tag.text === 'sql' || tag.text === 'tx')

/** Lists names before a dot, and names handed on, that nothing in the fragment introduces. */
function freeAliases(body: Node): string[] {
  const texts: string[] = []
  const joined: string[] = []
  const visit = (node: Node): void => {
    if (isTaggedTemplateExpression(node) && isTag(node)) texts.push(textOf(node))
    if (isCallExpression(node) && node.expression.getText() === 'joinById') {
      joined.push(...node.arguments.filter(isStringLiteral).map(({ text }) => text))
    }
    node.forEachChild(visit)
  }
  visit(body)
  const text = texts.filter((one) => !NAME.test(one)).join(' ; ')
  const before = Array.from(text.matchAll(/(?<![\w.?"])([a-z_]\w*)\.(?=[a-z_*?])/g), ([, alias = '']) => alias)
  const handed = texts.filter((one) => NAME.test(one) && !KEYWORDS.has(one))
  const isFree = (alias: string) => !new RegExp(String.raw`(?<![.\w])${alias}\b(?!\.)`).test(text)
  const known = new Set([...NAMESPACES, ...TABLES, ...joined])
  return [...new Set([...before, ...handed])].filter((alias) => !known.has(alias) && isFree(alias))
}

/** SQL of a template, without literals and comments; `?` for each insertion. */
function textOf({ template }: TaggedTemplateExpression): string {
  const text = isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join('?')
  return text.replaceAll(/'(?:[^']|'')*'/g, "''").replaceAll(/--.*$/gm, '')
}

/** Template that is an alias alone, for another fragment. */
const NAME = /^[a-z_]\w*$/
const KEYWORDS = new Set(['asc', 'desc', 'true', 'false', 'null'])
const NAMESPACES = ['excluded', 'new', 'old', 'information_schema', 'pg_catalog']
/** Tables, by whose own names columns may be named anywhere. */
const TABLES = readdirSync('db/migrations').flatMap((file) =>
  Array.from(
    readFileSync(`db/migrations/${file}`, 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm),
    ([, table = '']) => table,
  ),
)
