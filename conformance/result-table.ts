/** What the scenarios of one client printed: its version, then `ok NAME` or `FAIL NAME: reason` for each. */
export type SuiteResult = { name: string; output: string }

/** A Markdown table with a row for each client. */
export const resultTable = (results: readonly SuiteResult[]): string => {
  const rows = results.map(({ name, output }) => {
    const lines = output.split('\n')
    const versions = lines.find((line) => line !== '' && !/^(?:ok|FAIL) /.test(line)) ?? ''
    const passed = lines.filter((line) => line.startsWith('ok ')).map((line) => line.slice(3))
    const failed = lines.flatMap((line) => /^FAIL ([^:]*):/.exec(line)?.[1] ?? [])
    return `| ${name} | ${versions} | ${passed.join('; ')} | ${failed.join('; ')} |`
  })
  return ['| client | versions | works | fails |', '|---|---|---|---|', ...rows].join('\n')
}
