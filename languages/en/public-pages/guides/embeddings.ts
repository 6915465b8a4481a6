export const embeddings = {
  title: 'Embeddings and reranking',
  description: 'Turn texts into vectors to compare them by meaning, and sort documents by relevance to a query.',
  lead: 'Compare texts by meaning.',
  leadRest: 'As vectors, or with a reranker.',
  first: 'the river bank',
  second: 'money in the bank',
  query: 'Where do I keep money?',
  answerFrom: 'Answer from these texts only:',
  sections: {
    model: {
      title: 'The right kind of model',
      text: 'Embeddings need an embedding model, and reranking a reranking model. Chat models such as helix-v1 are rejected with `model_not_supported`. The server’s operator adds such a model as a GGUF file or through an upstream.',
    },
    vectors: {
      title: 'Get vectors',
      text: 'Send one text or up to 2,048. Vectors of models that this server runs have length 1, so their dot product is the cosine similarity: the closer to 1, the more alike the texts.',
      after:
        '`dimensions` shortens the vectors, which keeps most of the meaning only with models trained for it. Some models expect a prefix such as `search_query:` in the text.',
    },
    rerank: {
      title: 'Sort documents by relevance',
      text: 'A reranker reads the query together with each document. It is slower than comparing vectors and more exact: use it on the best results of a search. `top_n` limits the results.',
    },
    search: {
      title: 'Answer from your own documents',
      text: 'With three calls the model answers from your texts (retrieval-augmented generation, RAG): find the texts that are closest to the question, let the reranker choose the best of them, and put those into the prompt.',
      after:
        'The vectors of your documents are computed once and kept, in a file or in a database. Split long documents into paragraphs first: a vector stands for a paragraph better than for a book.',
    },
    limits: {
      title: 'Limits',
      text: 'Each text must fit the model’s context, and all texts of a request together may have 300,000 tokens. Tokens count towards your limits like those of a prompt.',
    },
  },
} as const
