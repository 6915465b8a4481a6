import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportPreview, UpstreamCheckShown } from '../../../../src/platform/contract/upstreams.ts'
import { loadWords } from '../../../words/load-words.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { useEndSignal } from '../../components/use-end-signal.ts'
import { upstreamsQuery } from './upstreams-query.ts'

/** `reasons`: in the reader's language, why something of the file is left out, by code. */
export type ReadImport = ImportPreview & { reasons: Readonly<Record<string, string>> }

/** What became of one upstream of the file. `problem`: its test failed; `error`: the server refused it. */
export type ImportResult =
  | { isAdded: true }
  | { isAdded: false; problem: NonNullable<UpstreamCheckShown['problem']> }
  | { isAdded: false; error: unknown }

type Adding = { names: readonly string[]; keys: ReadonlyMap<string, string>; skipsTest: boolean }

/** Reads a `config.yaml`, and adds its upstreams one after the other while the form is open: one that fails does not keep the others out. */
export const useImport = (config: string) => {
  const platform = usePlatform()
  const queryClient = useQueryClient()
  const { language } = useLocale()
  const endSignal = useEndSignal()
  const [preview, setPreview] = useState<ReadImport | null>(null)
  const [results, setResults] = useState<ReadonlyMap<string, ImportResult>>(new Map())
  const read = useMutation({
    async mutationFn(): Promise<ReadImport> {
      const [found, { reasons }] = await Promise.all([
        platform.previewImport({ body: { config } }),
        loadWords(language.code, 'litellm-import'),
      ])
      return { ...found, reasons }
    },
    gcTime: 0,
    onSuccess: setPreview,
  })
  const addOne = async (name: string, { keys, skipsTest }: Adding, signal: AbortSignal): Promise<ImportResult> => {
    try {
      const key = keys.get(name)?.trim() || null
      const { problem } = await platform.importUpstream({ body: { config, name, key, skipsTest }, signal })
      return problem === null ? { isAdded: true } : { isAdded: false, problem }
    } catch (error) {
      return { isAdded: false, error }
    }
  }
  const add = useMutation({
    async mutationFn(adding: Adding): Promise<ReadonlyMap<string, ImportResult>> {
      const all = new Map(results)
      const signal = endSignal()
      for (const name of adding.names) {
        if (signal.aborted) break
        all.set(name, await addOne(name, adding, signal))
        setResults(new Map(all))
      }
      await queryClient.invalidateQueries({ queryKey: upstreamsQuery(platform).queryKey })
      return all
    },
    // Keys are kept nowhere but on the page.
    gcTime: 0,
  })
  return { preview, results, read, add }
}
