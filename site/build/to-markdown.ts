import { originMark } from '../../src/site-server/pages.ts'

/**
 * The main part of one of our own pages as Markdown, for readers who paste it elsewhere and for programs. Controls, icons
 * and what is only for signed-in readers are left out.
 */
export const toMarkdown = (document: string): string => {
  const main = document.slice(document.indexOf('>', document.indexOf('<main')) + 1, document.indexOf('</main>'))
  const parts = main.replaceAll(leftOut, '').split(/(<[^>]*>)/)
  const state: State = { text: [], lists: 0, pre: null, cells: null, isHead: false, link: null }
  for (const part of parts) {
    const [, slash, tag = '', attributes = ''] = /^<(\/?)(\w+)([^>]*)>$/s.exec(part) ?? []
    if (tag === '') addText(state, decode(part))
    else if (slash === '/') close(state, tag)
    else open(state, tag, attributes)
  }
  return `${state.text
    .join('')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

/** Elements that contain no element of their own kind. */
const leftOut =
  /<(svg|button|form|textarea|output)\b.*?<\/\1>|<details class="(?:try-it|contents)".*?<\/details>(?:\s*<output.*?<\/details>)?|<p [^>]*data-your-key.*?<\/p>|<p class="for-members">.*?<\/p>|<div class="page-tools".*?<\/div>|<nav class="neighbours".*?<\/nav>|<span class="name">.*?<\/span>/gs

type State = {
  /** In pieces that are joined once: to look at the end of one text that grows, all of it would be copied for each piece. None is empty. */
  text: string[]
  /** How deep in lists. */
  lists: number
  /** The text of a block of code, which is kept as it is, and the name of its language. */
  pre: { language: string; text: string } | null
  /** The cells of a row of a table. */
  cells: string[] | null
  isHead: boolean
  /** Where the link leads whose text is being read. */
  link: string | null
}

const languages: Readonly<Record<string, string>> = {
  ...{ curl: 'sh', python: 'python', typescript: 'ts' },
  ...{ go: 'go', java: 'java', csharp: 'csharp' },
}

const addText = (state: State, text: string): void => {
  if (state.pre !== null) {
    state.pre.text += text
    return
  }
  const spaced = text.replaceAll(/\s+/g, ' ')
  const last = (state.cells ?? state.text).at(-1)?.at(-1) ?? ' '
  add(state, /\s/.test(last) ? spaced.trimStart() : spaced)
}

const add = (state: State, text: string): void => {
  if (state.cells !== null) state.cells[state.cells.length - 1] = `${state.cells.at(-1) ?? ''}${text}`
  else addBlock(state, text)
}

/** Never into a cell. */
const addBlock = ({ text }: State, piece: string): void => {
  if (piece !== '') text.push(piece)
}

const open = (state: State, tag: string, attributes: string): void => {
  if (tag === 'pre') {
    const panel = /data-panel="([^"]*)"/.exec(attributes)?.[1] ?? ''
    state.pre = { language: languages[panel] ?? '', text: '' }
  } else if (state.pre !== null) return
  else if (/^h[1-6]$/.test(tag)) addBlock(state, `\n\n${'#'.repeat(Number(tag[1]))} `)
  else if (tag === 'ul' || tag === 'ol') state.lists += 1
  else if (tag === 'li') addBlock(state, `\n${'  '.repeat(Math.max(0, state.lists - 1))}- `)
  else if (tag === 'tr') state.cells = []
  else if (tag === 'th' || tag === 'td') {
    state.isHead = tag === 'th'
    state.cells?.push('')
  } else if (tag === 'code') add(state, '`')
  else if (tag === 'a') {
    state.link = addressOf(attributes)
    add(state, state.link === null ? '' : '[')
  } else if (tag === 'br') add(state, ' ')
  else if (attributes === ' class="variant"') addBlock(state, `\n${'  '.repeat(state.lists)}- `)
  else if (tag === 'p' && state.cells === null) addBlock(state, state.lists > 0 ? ' ' : '\n\n')
  else if (tag === 'table' || tag === 'section') addBlock(state, '\n\n')
}

const close = (state: State, tag: string): void => {
  if (tag === 'pre' && state.pre !== null) {
    addBlock(state, `\n\n\`\`\`${state.pre.language}\n${state.pre.text.trim()}\n\`\`\`\n\n`)
    state.pre = null
  } else if (state.pre !== null) return
  else if (/^h[1-6]$/.test(tag)) addBlock(state, '\n\n')
  else if (tag === 'ul' || tag === 'ol') {
    state.lists -= 1
    addBlock(state, state.lists === 0 ? '\n\n' : '')
  } else if (tag === 'tr' && state.cells !== null) {
    const row = state.cells.map((cell) => cell.trim().replaceAll('|', '\\|'))
    addBlock(state, `\n| ${row.join(' | ')} |${state.isHead ? `\n|${row.map(() => '---|').join('')}` : ''}`)
    state.cells = null
  } else if (tag === 'code') add(state, '`')
  else if (tag === 'a') {
    add(state, state.link === null ? '' : `](${state.link})`)
    state.link = null
  }
}

/** Null for a place on the same page, which is no address. */
const addressOf = (attributes: string): string | null => {
  const target = decode(/href="([^"]*)"/.exec(attributes)?.[1] ?? '#')
  if (target.startsWith('#')) return null
  return target.startsWith('/') ? `${originMark}${target}` : target
}

const decode = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
