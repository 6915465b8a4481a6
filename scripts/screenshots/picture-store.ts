import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** The tolerated difference per channel of a pixel: the format is lossy, and text is antialiased. */
const channelTolerance = 40

/** Keeps pictures in a folder and rewrites one only when its content changes. */
export const createPictureStore = async (folder: string, comparer: Page) => {
  await mkdir(folder, { recursive: true })
  await comparer.goto('about:blank')
  const kept = new Set<string>()
  let rewritten = 0
  return {
    /** `tolerance`: the fraction of pixels that may differ. */
    async put(name: string, picture: Buffer, tolerance: number): Promise<void> {
      kept.add(name)
      const path = join(folder, name)
      const before = await readFile(path).catch(() => null)
      if (before !== null && (before.equals(picture) || (await difference(comparer, before, picture)) <= tolerance))
        return
      await writeFile(path, picture)
      rewritten += 1
    },
    /** Removes our pictures that no page uses any more; returns a summary of the changes. */
    async finish(isOurs: (name: string) => boolean): Promise<{ rewritten: number; kept: number; bytes: number }> {
      let bytes = 0
      for (const name of (await readdir(folder)).filter(isOurs))
        if (kept.has(name)) bytes += (await readFile(join(folder, name))).length
        else await rm(join(folder, name))
      return { rewritten, kept: kept.size, bytes }
    },
  }
}

/** The fraction of pixels that differ; 1 if the sizes do. The browser decodes both. */
const difference = async (comparer: Page, before: Buffer, after: Buffer): Promise<number> =>
  Number(
    await comparer.evaluate(`(async (texts) => {
    const [one, other] = await Promise.all(texts.map(async (text) => {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/webp' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      context.drawImage(image, 0, 0)
      return context.getImageData(0, 0, image.width, image.height)
    }))
    if (one.width !== other.width || one.height !== other.height) return 1
    let differing = 0
    for (let at = 0; at < one.data.length; at += 4) {
      let off = 0
      for (let channel = 0; channel < 3; channel += 1)
        off = Math.max(off, Math.abs(one.data[at + channel] - other.data[at + channel]))
      if (off > ${channelTolerance}) differing += 1
    }
    return differing / (one.width * one.height)
  })(${JSON.stringify([before.toString('base64'), after.toString('base64')])})`),
  )
