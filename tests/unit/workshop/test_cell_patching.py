"""Cells of a table change in its text; delimiter, quotes, line ends, encoding and other rows stay."""

from __future__ import annotations

from pbem.workshop.cell_patching import changed

TABLE = b'id,owner,hex,note\nR-1,red,0305,"first, and best"\n\nB-2,blue,,\nR-3,red,0101\n'


def test_one_counter_moved_is_one_cell() -> None:
    done = changed(TABLE, {("R-1", "hex"): "0405", ("B-2", "hex"): "0202"}, {})
    assert done == TABLE.replace(b"0305", b"0405").replace(b"blue,,", b"blue,0202,")


def test_rows_come_at_the_end_and_go_alone() -> None:
    done = changed(TABLE, {}, {"R-1": None, "B-9": {"owner": "blue", "hex": "0303"}})
    assert done == b"id,owner,hex,note\n\nB-2,blue,,\nR-3,red,0101\nB-9,blue,0303,\n"


def test_what_a_spreadsheet_saved_stays_as_it_is() -> None:
    source = b"\xef\xbb\xbfid;owner;hex\r\nR-1;red;305\r\nR-2;red;306"
    assert changed(source, {("R-2", "hex"): "0405"}, {"R-3": {"owner": "a;b"}}) == (
        b'\xef\xbb\xbfid;owner;hex\r\nR-1;red;305\r\nR-2;red;0405\r\nR-3;"a;b";\r\n'
    )
    windows = "id,name,hex\nR-1,Köln,0101\n".encode("cp1252")
    assert changed(windows, {("R-1", "hex"): "0202"}, {}) == windows.replace(b"0101", b"0202")


def test_a_column_that_is_not_there_is_added() -> None:
    assert changed(b"id,owner\nR-1,red\nR-2,red\n", {("R-2", "hex"): "0101"}, {}) == (
        b"id,owner,hex\nR-1,red\nR-2,red,0101\n"
    )
    assert changed(TABLE, {("R-3", "hex"): ""}, {}) == TABLE.replace(b"R-3,red,0101", b"R-3,red,")


def test_cells_that_the_last_row_lacks_come_before_new_rows() -> None:
    source = b"id,owner,hex\nR-1,red"
    assert changed(source, {("R-1", "hex"): "0101"}, {"B-9": {"owner": "blue"}}) == (
        b"id,owner,hex\nR-1,red,0101\nB-9,blue,\n"
    )


def test_columns_are_added_in_the_order_of_their_cells() -> None:
    done = changed(b"id\nR-1\n", {("R-1", "steps"): "2", ("R-1", "hex"): "0101"}, {})
    assert done == b"id,steps,hex\nR-1,2,0101\n"
