package affiliatehub

import "context"

// place says which page of a list is next: by a cursor, or by its number.
type place struct {
	cursor *string
	number int64
}

// Iterator goes through a list, page after page as they are needed:
//
//	all := hub.IterateConversions(affiliatehub.ListConversionsQuery{})
//	for all.Next(ctx) {
//		fmt.Println(all.Value().ExternalOrderID)
//	}
//	if err := all.Err(); err != nil { ... }
type Iterator[T any] struct {
	fetch   func(ctx context.Context, at place) ([]T, *place, error)
	page    []T
	at      int
	next    *place
	started bool
	err     error
}

// Next goes on to the next entry; false at the end, or if a page could not be fetched.
func (i *Iterator[T]) Next(ctx context.Context) bool {
	i.at++
	for i.err == nil && i.at >= len(i.page) {
		from := place{number: 1}
		if i.started {
			if i.next == nil {
				return false
			}
			from = *i.next
		}
		i.started, i.at = true, 0
		i.page, i.next, i.err = i.fetch(ctx, from)
	}
	return i.err == nil
}

// Value returns the entry that Next went to.
func (i *Iterator[T]) Value() T { return i.page[i.at] }

// Err returns why Next ended before the list did, nil if it did not.
func (i *Iterator[T]) Err() error { return i.err }

func nextCursor(cursor *string) *place {
	if cursor == nil {
		return nil
	}
	return &place{cursor: cursor}
}

func nextPage(page, size, total int64) *place {
	if page*size >= total {
		return nil
	}
	return &place{number: page + 1}
}

// Changes follows what changed, part by part.
type Changes struct {
	hub     *Hub
	query   ListChangesQuery
	part    *ChangeList
	err     error
	options []Option
}

// FollowChanges tells what changed, part by part, from query.After on; without it, from everything that there is.
//
// Keep a part's Cursor once its Data is dealt with, and go on from that the next time. While nothing changes, each part
// comes after Wait seconds (20 unless it is said) and is empty; with Wait 0 the last part is the end.
func (h *Hub) FollowChanges(query ListChangesQuery, options ...Option) *Changes {
	if query.Wait == nil {
		query.Wait = Given[int64](LongestWait)
	}
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Changes{hub: h, query: query, options: options}
}

// Next waits for the next part; false at the end, or if it could not be had.
func (c *Changes) Next(ctx context.Context) bool {
	if c.err != nil || (c.part != nil && *c.query.Wait == 0 && !c.part.More) {
		return false
	}
	part, err := c.hub.ListChanges(ctx, c.query, c.options...)
	if err != nil {
		c.err = err
		return false
	}
	c.part, c.query.After = part, &part.Cursor
	return true
}

// Part returns the part that Next waited for.
func (c *Changes) Part() *ChangeList { return c.part }

// Err returns why Next ended too early, nil if it did not.
func (c *Changes) Err() error { return c.err }
