import { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { BareBatch } from './bare-inserts.ts'

/**
 * The minimum that makes rows durable off the event loop: inserts all pending rows in one transaction, with the same
 * sync setting as the store. It has no indexes, references, triggers or lookups.
 */
const db = new DatabaseSync(String(workerData))
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE begun (id INTEGER PRIMARY KEY, request TEXT, party INTEGER, model TEXT, endpoint TEXT, stream INTEGER,
    tokens INTEGER, at INTEGER) STRICT;
  CREATE TABLE ended (id INTEGER PRIMARY KEY, request TEXT, prompt INTEGER, cached INTEGER, completion INTEGER,
    reasoning INTEGER, outcome TEXT, reason TEXT, error TEXT, queue INTEGER, first INTEGER, duration INTEGER, at INTEGER,
    day INTEGER) STRICT;
`)
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')
const inserts = {
  begun: db.prepare('INSERT INTO begun VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)'),
  ended: db.prepare('INSERT INTO ended VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
}

const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread only')
port.on('message', (first: BareBatch) => {
  const batches = [first]
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    batches.push(next.message)
  begin.run()
  for (const { table, rows } of batches) for (const row of rows) inserts[table].run(...row)
  commit.run()
  port.postMessage(batches.map(({ id }) => id))
})
port.postMessage('opened')
