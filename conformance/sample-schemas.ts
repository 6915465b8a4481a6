import { z } from 'zod'

/** Typical schemas for answers: nested objects, lists, enums and one of several shapes. */
const place = z.object({ city: z.string(), country: z.enum(['JP', 'FR', 'DE']) })
const circle = z.object({ kind: z.literal('circle'), radius: z.number() })
const square = z.object({ kind: z.literal('square'), side: z.number(), tilted: z.boolean() })

export const sampleSchemas = {
  nested: z.object({ name: z.string(), home: z.object({ place, since: z.int() }) }),
  lists: z.object({ tags: z.array(z.string()), places: z.array(place).max(3) }),
  choices: z.object({ mood: z.enum(['calm', 'busy']), note: z.string().nullable() }),
  unions: z.object({ shape: z.union([circle, square]), size: z.union([z.number(), z.string()]) }),
  'tagged unions': z.object({ shape: z.discriminatedUnion('kind', [circle, square]) }),
}

export const weatherArguments = z.object({ city: z.string() })
