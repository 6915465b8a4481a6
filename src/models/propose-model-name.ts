/** Names become folders, and are written on command lines. */
export const modelNamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,95}$/u

/** A name for the model in a file, or in the parts of a split one: what names cannot contain becomes '-'. Empty if nothing is left. */
export const proposeModelName = (fileName: string): string => {
  const stem = fileName.normalize('NFC').replace(/(-\d{5}-of-\d{5})?\.gguf$/i, '')
  const name = stem.replace(/[^\p{L}\p{N}._]*[^\p{L}\p{N}._-][^\p{L}\p{N}._]*/gu, '-').replace(/^[._-]+/, '')
  return [...name].slice(0, 96).join('').replace(/-+$/, '')
}
