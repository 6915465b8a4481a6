export type ErrorRow = { status: number; code: string | null; message: string; type?: string }
