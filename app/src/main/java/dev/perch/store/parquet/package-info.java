/** Tables as Parquet files, without a database at hand. */
@NullMarked
package dev.perch.store.parquet;

import org.jspecify.annotations.NullMarked;
